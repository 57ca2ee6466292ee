/** A text whose values the server may suggest (`completion/complete`), asked for while it is typed. */
import { useEffect, useId, useState } from "preact/hooks";
import { Prose } from "../ui/texts.tsx";

/** Milliseconds without a key before the server is asked. */
const PAUSE_MS = 250;

export function Suggested(given: {
  readonly name: string;
  readonly required: boolean;
  readonly description: string | null;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggest: (value: string) => Promise<readonly string[]>;
}) {
  const { name, required, description, value, onChange, suggest } = given;
  const id = useId();
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    let stale = false;
    const timer = setTimeout(() => {
      suggest(value).then(
        (values) => stale || setFound(values),
        () => stale || setFound([]),
      );
    }, PAUSE_MS);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [value]);
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>
          <bdi>{name.slice(0, 200)}</bdi>
          {required && <span class="required"> required</span>}
        </label>
      </div>
      {description !== null && <Prose text={description} />}
      <input
        id={id}
        type="text"
        dir="auto"
        autocomplete="off"
        list={`${id}-list`}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {found.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
}
