/** The panel's styles. */

export const STYLE = `
  :host { all: initial !important; display: block !important; }
  section {
    --_background: #fff;
    --_text: #1b1f24;
    --_muted: #57606a;
    --_border: #8c959f;
    --_line: #d0d7de;
    --_surface: #f3f4f6;
    --_accent: #0b57a4;
    --_accent-text: #fff;
    --_good: #116329;
    --_warn: #8a4600;
    --_bad: #b3141d;
    --_soft-good: #a6dcb3;
    --_soft-warn: #f2c48d;
    --_soft-wait: #b9cdea;
    --_soft-bad: #f5aaa8;
    color-scheme: light;
  }
  @media (prefers-color-scheme: dark) {
    section {
      --_background: #1c2128;
      --_text: #e6edf3;
      --_muted: #a3adb8;
      --_border: #768390;
      --_line: #3d444d;
      --_surface: #2d333b;
      --_accent: #79b8ff;
      --_accent-text: #0d1117;
      --_good: #7ee097;
      --_warn: #f0b070;
      --_bad: #ff9b94;
      --_soft-good: #2c6b3d;
      --_soft-warn: #8a5a1c;
      --_soft-wait: #3a5a86;
      --_soft-bad: #8e2f2c;
      color-scheme: dark;
    }
  }
  section, section * { box-sizing: border-box; }
  [hidden] { display: none !important; }
  section {
    position: fixed;
    inset: auto 0 0 0;
    z-index: 2147483647;
    display: flex;
    flex-direction: column;
    inline-size: auto;
    max-inline-size: none;
    block-size: var(--_height);
    max-block-size: 100vh;
    margin: 0;
    padding: 0;
    border: 0;
    border-block-start: 1px solid var(--_border);
    background: var(--_background);
    color: var(--_text);
    font: 0.8125em / 1.5 system-ui, sans-serif;
    overflow: hidden;
    box-shadow: 0 -2px 12px rgb(0 0 0 / 20%);
  }
  .grip { flex: none; block-size: 9px; cursor: ns-resize; touch-action: none; background: var(--_surface); }
  .grip::after {
    content: "";
    display: block;
    inline-size: 2.5rem;
    block-size: 3px;
    margin: 3px auto;
    border-radius: 2px;
    background: var(--_border);
  }
  .bar {
    flex: none;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    padding: 0 0.5rem 0.25rem;
    border-block-end: 1px solid var(--_line);
    background: var(--_surface);
  }
  [role="tablist"] { display: flex; flex-wrap: wrap; }
  [role="tab"] { border: 0; border-block-end: 3px solid transparent; border-radius: 0; background: none; }
  [role="tab"][aria-selected="true"] { border-block-end-color: var(--_accent); color: var(--_accent); font-weight: 600; }
  .bar input { flex: 1 1 7rem; min-inline-size: 5rem; max-inline-size: 20rem; margin-inline-start: auto; }
  [role="tabpanel"] { flex: 1; min-block-size: 0; overflow: auto; padding: 0.5rem; }
  button, input, select, textarea {
    min-block-size: 2rem;
    margin: 0;
    padding: 0.25rem 0.625rem;
    border: 1px solid var(--_border);
    border-radius: 0.375rem;
    background: var(--_background);
    color: inherit;
    font: inherit;
  }
  button { cursor: pointer; }
  button:disabled, button[aria-disabled="true"] { opacity: 0.6; cursor: default; }
  .main { border-color: var(--_accent); background: var(--_accent); color: var(--_accent-text); }
  ::placeholder { color: var(--_muted); opacity: 1; }
  :focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px; }
  button:focus-visible, input:focus-visible { outline-offset: 1px; }
  ul { margin: 0; padding: 0; list-style: none; }
  p { margin: 0 0 0.5rem; max-inline-size: 70ch; }
  .empty, small, .label, dt, .counts { color: var(--_muted); }
  .rows > li { border-block-end: 1px solid var(--_line); }
  .rows summary {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.125rem 0.625rem;
    padding: 0.25rem;
    cursor: pointer;
  }
  .rows summary::before {
    content: "";
    flex: none;
    align-self: center;
    inline-size: 0.4em;
    block-size: 0.4em;
    margin-inline: 0.25em 0;
    border: solid var(--_muted);
    border-width: 0 1.5px 1.5px 0;
    transform: rotate(-45deg);
  }
  :dir(rtl).rows summary::before { transform: rotate(135deg); }
  .rows [open] > summary::before { transform: rotate(45deg) !important; }
  .definition summary { display: list-item; color: var(--_muted); }
  .definition summary::before { content: none; }
  summary:hover { background: var(--_surface); }
  .name { font-weight: 600; overflow-wrap: anywhere; }
  .waits { color: var(--_warn); overflow-wrap: anywhere; }
  .counts { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
  .state {
    flex: none;
    min-inline-size: 6em;
    padding-inline: 0.5em;
    border: 1px solid currentcolor;
    border-radius: 1em;
    font-size: 0.9em;
    text-align: center;
    color: var(--_muted);
  }
  .state.registered, .state.done { color: var(--_good); }
  .state.leaving, .state.open { color: var(--_warn); }
  .state.failed, .state.error { color: var(--_bad); }
  .body { display: grid; gap: 0.5rem; padding-block: 0.25rem 0.75rem; padding-inline: 1.25rem 0.5rem; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.125rem 0.75rem; margin: 0; }
  dd { margin: 0; white-space: pre-line; overflow-wrap: anywhere; unicode-bidi: isolate; }
  pre {
    margin: 0.125rem 0 0;
    padding: 0.5rem;
    border-radius: 0.375rem;
    background: var(--_surface);
    font: 0.92em / 1.5 ui-monospace, monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    direction: ltr;
    text-align: left;
  }
  form { display: grid; gap: 0.5rem; margin-block-start: 0.5rem; }
  .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 0.5rem 1rem; }
  .field { display: flex; flex-direction: column; gap: 0.125rem; min-inline-size: 0; }
  .field label { font-weight: 600; overflow-wrap: anywhere; }
  .field small { font-size: 0.92em; overflow-wrap: anywhere; }
  .field input, .field select, .field textarea { inline-size: 100%; }
  textarea { font-family: ui-monospace, monospace; resize: vertical; }
  [aria-invalid="true"] { border: 2px solid var(--_bad); }
  .required { color: var(--_warn); font-weight: 400; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .said:empty { display: none; }
  .legend { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; margin-block-end: 0.5rem; }
  .key { display: inline-block; inline-size: 1em; block-size: 0.8em; margin-inline-end: 0.35em; }
  .chart > li { display: grid; grid-template-columns: minmax(0, 14rem) 1fr; gap: 0.75rem; align-items: center; }
  .chart .name { font-weight: 400; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .track { position: relative; block-size: 1.375rem; overflow: hidden; border-block-end: 1px solid var(--_line); }
  .track span { position: absolute; }
  .track .phase { inset-block: 0.125rem; }
  .track .call { inset-block: 0.4rem; min-inline-size: 3px; border-radius: 2px; }
  .track .mark { inset-block: 0; border-inline-start: 1px solid var(--_text); opacity: 0.5; }
  .waiting, .registering { --_fill: var(--_soft-wait); }
  .registered { --_fill: var(--_soft-good); }
  .draining, .grace { --_fill: var(--_soft-warn); }
  .failed { --_fill: var(--_soft-bad); }
  .key, .phase { background: var(--_fill); }
  .registering.key, .registering.phase, .grace.key, .grace.phase {
    background: repeating-linear-gradient(135deg, var(--_fill) 0 4px, transparent 4px 7px);
  }
  .call { background: var(--_accent); }
  .call.error { background: var(--_bad); }
  .call.open { background: var(--_warn); }
  table { inline-size: 100%; margin-block-start: 0.75rem; border-collapse: collapse; }
  th, td { padding-block: 0.125rem; padding-inline: 0 0.75rem; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
  th { color: var(--_muted); font-weight: 400; border-block-end: 1px solid var(--_line); }
  .when { white-space: nowrap; font-variant-numeric: tabular-nums; }
  @media (forced-colors: active) {
    [role="tab"][aria-selected="false"] { border-block-end-color: Canvas; }
    .track, .track span, .key { forced-color-adjust: none; }
  }
  @media (max-width: 40rem) {
    .chart > li { grid-template-columns: minmax(0, 6.5rem) 1fr; }
    .counts { margin-inline-start: 0; }
    [role="tablist"] { flex-basis: 100%; }
    .bar input { max-inline-size: none; }
    .body { padding-inline-start: 0.25rem; }
    table, tbody, tr, td { display: block; }
    thead { position: absolute; clip-path: inset(50%); }
    td { display: inline; }
    tr { padding-block: 0.125rem; border-block-end: 1px solid var(--_line); }
  }
`;
