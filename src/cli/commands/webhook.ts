/** `openmcp webhook`: subscriptions to a catalog's events, and a receiver to try them with. Each action is loaded in its turn. */
import type { Command } from "commander";
import { eventNames } from "../../spec/index.ts";
import type { CommandModule, Host } from "../command.ts";
import { collect, countOption } from "../option-values.ts";
import type { SubscriptionOptions } from "./webhook/options.ts";

const EVENTS = `Events: ${eventNames.join(", ")}.`;
const SECRET_VARIABLE = "OPENMCP_WEBHOOK_SECRET";

export const webhook: CommandModule = {
  define(command, host) {
    command.addHelpText(
      "after",
      `
A subscription's id is the only handle on it, and its secret is shown once: keep both.

Examples:
  openmcp webhook listen
  openmcp webhook add https://you.example/openmcp --event relay.offline
  openmcp webhook test <id>
  openmcp webhook verify body.json --signature sha256=… --secret …

${EVENTS}`,
    );
    const add = action(command, "add", "Subscribe a URL to a catalog's events");
    subscriptionOptions(add.argument("<url>", "where deliveries are posted; https")).action(
      (url: string, options: SubscriptionOptions) =>
        host.run(async (shell) =>
          (await import("./webhook/add.ts")).add(shell, {
            ...options,
            url,
            secret: options.secret ?? shell.env[SECRET_VARIABLE],
          }),
        ),
    );
    byId(command, host, {
      name: "show",
      summary: "Show a subscription and what became of its deliveries",
      work: async () => (await import("./webhook/by-id.ts")).show,
    });
    byId(command, host, {
      name: "test",
      summary: "Have the catalog send a test delivery, and wait for what becomes of it",
      work: async () => (await import("./webhook/by-id.ts")).test,
    });
    byId(command, host, {
      name: "rm",
      summary: "End a subscription",
      work: async () => (await import("./webhook/by-id.ts")).remove,
    });
    action(command, "redeliver", "Have the catalog deliver something once more")
      .argument("<id>", "the subscription's id")
      .argument("<delivery>", "the delivery's id")
      .action((id: string, delivery: string) =>
        host.run(async (shell) => (await import("./webhook/by-id.ts")).redeliver(shell, { id, delivery })),
      );
    action(command, "verify", "Check the signature of a saved delivery; needs no catalog")
      .argument("<file>", "the raw body as it was received; - reads standard input")
      .requiredOption("--signature <value>", "the header X-OpenMCP-Signature")
      .option("--secret <secret>", `the subscription's secret (env: ${SECRET_VARIABLE})`)
      .addHelpText("after", "\nExits with 1 when it does not fit.")
      .action((file: string, options: { readonly signature: string; readonly secret?: string }) =>
        host.run(async (shell) =>
          (await import("./webhook/verify.ts")).verify(shell, {
            file,
            signature: options.signature,
            secret: options.secret ?? shell.env[SECRET_VARIABLE],
          }),
        ),
      );
    const listen = action(command, "listen", "Receive deliveries here and print those that verify");
    subscriptionOptions(listen)
      .option("--port <port>", "port to listen on (default: any that is free)", countOption(65_535))
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--url <url>", "the public URL that leads here, such as a tunnel's")
      .option("--no-subscribe", "wait for the deliveries of a subscription that you have; needs its secret")
      .option("--count <n>", "end after so many deliveries", countOption(1_000_000))
      .addHelpText(
        "after",
        `
Subscribes itself at the catalog, and unsubscribes when it ends (Ctrl-C). With --json it prints a delivery a line.`,
      )
      .action((options: SubscriptionOptions & ListenFlags) =>
        host.run(async (shell) =>
          (await import("./webhook/listen.ts")).listen(shell, {
            ...options,
            secret: options.secret ?? shell.env[SECRET_VARIABLE],
          }),
        ),
      );
  },
};

interface ListenFlags {
  readonly port?: number;
  readonly host: string;
  readonly url?: string;
  readonly subscribe: boolean;
  readonly count?: number;
}

function action(parent: Command, name: string, summary: string): Command {
  const command = parent.command(name).summary(summary).description(`${summary}.`);
  return command.helpOption("-h, --help", "show help").exitOverride();
}

function subscriptionOptions(command: Command): Command {
  return command
    .option("-e, --event <name>", "only this event; may be repeated", collect)
    .option("-r, --relay <id>", "only this relay; may be repeated", collect)
    .option("--secret <secret>", `your own secret; one is made without it (env: ${SECRET_VARIABLE})`);
}

type ById = (shell: Parameters<Parameters<Host["run"]>[0]>[0], id: string) => Promise<number>;

function byId(
  parent: Command,
  { run }: Host,
  {
    name,
    summary,
    work,
  }: { readonly name: string; readonly summary: string; readonly work: () => Promise<ById> },
): void {
  action(parent, name, summary)
    .argument("<id>", "the subscription's id")
    .action((id: string) => run(async (shell) => (await work())(shell, id)));
}
