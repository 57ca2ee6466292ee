/** Notes of several users: who has no token reads what is public, who has one writes notes, and an admin may clear the book. */
import { createHash } from "node:crypto";
import { server } from "openmcp/kit";
import { z } from "zod";

interface User {
  readonly id: string;
  readonly role: "guest" | "writer" | "admin";
}
interface Note {
  readonly by: string;
  readonly text: string;
  readonly isPublic: boolean;
}

/** `token:id:role`, separated by commas. Compared by their hashes, so that no answer's time tells of a token. */
const hash = (token: string) => createHash("sha256").update(token).digest("hex");
const users = new Map<string, User>(
  (process.env.NOTEBOOK_USERS ?? "").split(",").flatMap((line) => {
    const [token, id, role] = line.trim().split(":");
    return token && id ? [[hash(token), { id, role: role === "admin" ? "admin" : "writer" }]] : [];
  }),
);
const guest: User = { id: "guest", role: "guest" };

function authenticate(request: Request): User | Response {
  const credential = request.headers.get("authorization");
  if (credential === null) return guest;
  const user = users.get(hash(credential.replace(/^Bearer /i, "")));
  return user ?? new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
}

const notes: Note[] = [];
const note = z.object({ by: z.string(), text: z.string(), isPublic: z.boolean() });

const notebook = server<User>("notebook", "1.0.0", { authenticate })
  .tool(
    "read_notes",
    {
      description: "Reads your notes, and everybody's that are public.",
      output: z.object({ notes: z.array(note) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (_, { user }) => ({ notes: notes.filter(({ by, isPublic }) => isPublic || by === user.id) }),
  )
  .tool(
    "add_note",
    {
      description: "Writes a note. It is yours alone unless you make it public.",
      input: z.object({ text: z.string().min(1).max(10_000), isPublic: z.boolean().optional() }),
      output: z.object({ count: z.int() }),
      annotations: { destructiveHint: false, openWorldHint: false },
      visible: ({ role }) => role !== "guest",
    },
    ({ text, isPublic = false }, { user }) => ({ count: notes.push({ by: user.id, text, isPublic }) }),
  )
  .tool(
    "clear_notebook",
    {
      description: "Deletes every note of every user.",
      output: z.object({ deleted: z.int() }),
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
      visible: ({ role }) => role === "admin",
    },
    () => ({ deleted: notes.splice(0).length }),
  );

const { url } = await notebook.listen(Number(process.env.PORT ?? 8080));
console.log(url);
