/** What both kinds of subscribing are told on the command line. */
export interface SubscriptionOptions {
  readonly event?: readonly string[];
  readonly relay?: readonly string[];
  readonly secret?: string | undefined;
}
