/** A few figures that summarize a page. */
import type { ComponentChildren } from 'preact';

/** @param props.tiles name and value; entries without a value are left out */
export function Tiles({ tiles }: { readonly tiles: Readonly<Record<string, ComponentChildren | undefined>> }) {
  return (
    <dl class="tiles">
      {Object.entries(tiles).map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
