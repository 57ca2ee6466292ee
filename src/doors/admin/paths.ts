/** The admin's files as the catalog's OpenAPI document has them: a file is no answer of an operation, so nothing derives this. */

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});
const file = { "application/vnd.sqlite3": { schema: { type: "string", format: "binary" } } };
const counts = {
  bytes: { type: "integer" },
  relays: { type: "integer" },
  tools: { type: "integer" },
  schemaVersion: { type: "integer" },
};

/** OpenAPI path items, for a document whose components have `Problem` and the security scheme `admin`. */
export const adminPaths = {
  "/v1/admin/backup": {
    get: {
      operationId: "backup",
      summary: "Copy the database",
      description: "The catalog's database as one file, whole and checked, while the catalog runs.",
      tags: ["admin"],
      security: [{ admin: [] }],
      responses: {
        200: { description: "The file.", content: file },
        401: problem("`unauthorized`: the admin's credential is missing or wrong."),
        503: problem("`unavailable`: the copy can't be made, for want of room for example."),
      },
    },
  },
  "/v1/admin/restore": {
    post: {
      operationId: "restore",
      summary: "Put a backup in the database's place",
      description:
        "Nothing is changed until the whole file is here and was found sound. What was there is kept.",
      tags: ["admin"],
      security: [{ admin: [] }],
      requestBody: { required: true, content: file },
      responses: {
        200: {
          description: "It is in its place.",
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  ok: { const: true },
                  ...counts,
                  kept: {
                    type: ["string", "null"],
                    description: "Where the database that was there is kept.",
                  },
                },
                required: ["ok", ...Object.keys(counts), "kept"],
              },
            },
          },
        },
        400: problem("`invalid-input`: the file is no sound catalog's database; nothing is changed."),
        401: problem("`unauthorized`: the admin's credential is missing or wrong."),
        413: problem("`too-large`: the file is larger than may be."),
        415: problem("`unsupported-media-type`: the body is of another type."),
        503: problem("`unavailable`: the database can't be replaced now."),
      },
    },
  },
} as const;
