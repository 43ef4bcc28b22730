/** A box that scrolls sideways in narrow windows, also with the keyboard. */
import type { ComponentChildren } from 'preact';

export function ScrollBox({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
