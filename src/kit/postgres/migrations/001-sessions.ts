/**
 * Sessions, what they remember, what was streamed to them, and notices between instances. JSON is kept as text: `jsonb` refuses the
 * NUL character, which a client may say. Notices survive no crash of the database (UNLOGGED), and sessions do.
 */
export const sessions = (schema: string): string => `
CREATE TABLE ${schema}.sessions (
  id text PRIMARY KEY,
  user_id text,
  initialize text NOT NULL,
  opened_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  state text NOT NULL,
  version integer NOT NULL
);
CREATE INDEX sessions_by_end ON ${schema}.sessions (expires_at);
CREATE INDEX sessions_by_user ON ${schema}.sessions (user_id, expires_at) WHERE user_id IS NOT NULL;
CREATE TABLE ${schema}.remembered (
  session text NOT NULL REFERENCES ${schema}.sessions ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL
);
-- A key is a URI of the client's: too long for an index as it is.
CREATE UNIQUE INDEX remembered_by_key ON ${schema}.remembered (session, md5(key));
CREATE TABLE ${schema}.streamed (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text NOT NULL REFERENCES ${schema}.sessions ON DELETE CASCADE,
  stream text NOT NULL,
  message text NOT NULL
);
CREATE INDEX streamed_by_session ON ${schema}.streamed (session, stream, id);
CREATE UNLOGGED TABLE ${schema}.notices (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  body text NOT NULL,
  said_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX notices_by_time ON ${schema}.notices (said_at);
`;
