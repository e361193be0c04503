/** The colours of what the library draws, for the style sheet of a shadow root; a page sets them on the element. */
export const THEME = `
  :host {
    --_background: var(--webtools-background, #fff);
    --_text: var(--webtools-text, #1b1f24);
    --_muted: var(--webtools-muted, #57606a);
    --_border: var(--webtools-border, #8c959f);
    --_surface: var(--webtools-surface, #f3f4f6);
    --_accent: var(--webtools-accent, #0b57a4);
    --_accent-text: var(--webtools-accent-text, #fff);
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --_background: var(--webtools-background, #1c2128);
      --_text: var(--webtools-text, #e6edf3);
      --_muted: var(--webtools-muted, #a3adb8);
      --_border: var(--webtools-border, #768390);
      --_surface: var(--webtools-surface, #2d333b);
      --_accent: var(--webtools-accent, #79b8ff);
      --_accent-text: var(--webtools-accent-text, #0d1117);
    }
  }
`;
