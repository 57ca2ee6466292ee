/** What changed, as a sentence for people: about arguments or results, and in either direction. Pure. */
import type { Narrowing, Side } from "./types.ts";

interface Way {
  readonly side: Side;
  readonly breaking: boolean;
}

/** Without a full stop. */
export function messageOf({ code, pointer, detail }: Narrowing, { side, breaking }: Way): string {
  const what = nameOf(pointer, side);
  const input = side === "input";
  const tell = (lessTaken: string, moreTaken: string, moreGiven: string, lessGiven: string): string =>
    `${what} ${input ? (breaking ? lessTaken : moreTaken) : breaking ? moreGiven : lessGiven}`;
  const also = detail === "" ? "" : `: ${detail}`;
  switch (code) {
    case "required":
      return tell("has to be given now", "may be left out now", "may be missing now", "is always there now");
    case "member-removed":
      return tell("is not taken any more", "is new and may be left out", "is not given any more", "is new");
    case "closed":
      return tell(
        "takes nothing more than what is described",
        "takes more than what is described",
        "may have more than what is described",
        "has no more than what is described",
      );
    case "type":
      return tell(
        `does not take every type any more${also}`,
        `takes more types${also}`,
        `may be of another type now${also}`,
        `is of fewer types${also}`,
      );
    case "values":
      return detail === ""
        ? tell(
            "takes certain values only now",
            "takes any value now",
            "may be any value now",
            "is one of certain values now",
          )
        : tell(
            `does not take these values any more${also}`,
            `takes more values${also}`,
            `may be another value now${also}`,
            `is not one of these values any more${also}`,
          );
    case "bounds":
      return tell(
        `is bound tighter${also}`,
        "is bound looser",
        `may be outside its bounds now`,
        `is bound tighter${also}`,
      );
    case "items":
      return tell("takes fewer items", "takes more items", "may have more items now", "has fewer items");
    case "rule":
      return tell(
        `has another rule now, ${detail}, and may refuse what it took`,
        `is free of a rule: ${detail}`,
        `follows a rule no more: ${detail}`,
        `has another rule now: ${detail}`,
      );
    case "default":
      return tell("means something else when it is left out", "says what leaving it out means", "", "");
    case "promise":
      return breaking ? `${detail} is promised no more` : `${detail} is promised now`;
    case "output-removed":
      return "its result has no schema any more";
    case "output-added":
      return "its result has a schema now";
    case "too-large":
      return `${what} is too large to compare`;
    default:
      return `${what} is different`;
  }
}

/** `/properties/a/properties/b/items/type` as `argument "a.b[]"`. */
function nameOf(pointer: string, side: Side): string {
  const parts = pointer.split("/").slice(1);
  let name = "";
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as string;
    if (part === "properties" && at + 1 < parts.length) {
      at += 1;
      const member = (parts[at] as string).replaceAll("~1", "/").replaceAll("~0", "~");
      name += `${name === "" ? "" : "."}${member}`;
    } else if (part === "items") name += "[]";
    else if (part === "prefixItems") {
      at += 1;
      name += `[${parts[at]}]`;
    } else if (part === "additionalProperties" && at + 1 < parts.length) name += ".*";
    else break;
  }
  if (side === "input") return name === "" ? "the call" : `argument "${name}"`;
  return name === "" ? "the result" : `result's "${name}"`;
}
