/** What the polyfill's modules give to each other. */

export type Hint = "consequentialHint" | "debugging" | "readOnlyHint" | "untrustedContentHint";
export type ToolAnnotations = { [hint in Hint]?: boolean };
export type ToolHandler = (input: object, options?: { signal: AbortSignal }) => unknown;

export interface ToolTexts {
  name: string;
  title?: string;
  description: string;
  annotations?: ToolAnnotations;
}

export interface ModelContextTool extends ToolTexts {
  inputSchema?: object;
  execute: ToolHandler;
}

export interface RegisteredTool extends ToolTexts {
  inputSchema?: object | string;
  origin: string;
  window: Window;
}

export interface Definition extends ModelContextTool {
  /** Empty when there is none. */
  title: string;
}

export interface KeptTool extends ToolTexts {
  title: string;
  /** Empty when there is no schema. */
  schemaText: string;
  /** Of a tool that a script registered. */
  execute?: ToolHandler;
  /** Of a form; answers a text, or null when the browser submits the form. */
  runForm?(input: object, run: FormRun): Promise<string | null>;
}

/** What the call of a form is given. */
export interface FormRun {
  signal: AbortSignal;
  /** Tells the page that the form is filled. */
  activate(): void;
}

/** The forms of a document that are watched. */
export interface Forms {
  /** Takes in what has changed until now; inside of the trees, too, what no observer tells. */
  look(isInside?: boolean): void;
  stop(): void;
}

/** How a browser of old differs from the draft; for tests. */
export interface Shape {
  /** `onUnregister`: the calls of a tool that goes are lost. */
  cancelsCalls: "never" | "onUnregister";
  /** How long an answer is on its way to its caller, and can still be lost. */
  postbackMs: number;
  /** Whether a handler is told of its caller's abort. */
  signalArgument: boolean;
  /** Whether a listed schema is JSON text. */
  schemaAsText: boolean;
  /** Whether `executeTool` takes JSON text. */
  inputAsText: boolean;
}

/** One execution. */
export interface Call {
  /** Of the tool. */
  name: string;
  /** There while the handler runs. */
  controller?: AbortController;
  /** Tells the caller that it failed. */
  lose(reason?: string): void;
}

export type Complete = (text?: string | null, failure?: string) => void;

/**
 * What one context owns, and what the contexts of other frames use of it. They read its data; whatever runs code of
 * the page, they ask for.
 */
export interface State {
  protocol: number;
  doc: Document;
  shape: Shape;
  tools: Map<string, KeptTool>;
  /** Those that may still be lost. */
  calls: Set<Call>;
  /** Fires an event now, if the document is active. */
  fire(type: string, toolName?: string): void;
  /** Begins a call in a task; completed without a text or null, it failed. */
  begin(call: Call, inputText: string, complete: Complete): void;
  /** Sees to it that the document's forms are tools; a promise while that is not yet so. */
  lookForForms(isInside?: boolean): Promise<void> | void;
  /** Cancels a call in a task. */
  cancel(call: Call): void;
}
