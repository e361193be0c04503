/** The part of WebMCP that webtools uses. Source: https://webmachinelearning.github.io/webmcp/ */
declare namespace WebMCP {
  type Execute = (input: unknown, client?: { signal?: AbortSignal }) => unknown;

  interface Tool {
    name: string;
    title?: string;
    description: string;
    inputSchema?: object;
    annotations?: Record<string, boolean>;
    execute: Execute;
  }

  interface ModelContext extends EventTarget {
    registerTool(
      tool: Tool,
      options?: { signal?: AbortSignal; exposedTo?: string[] },
    ): Promise<void>;
    getTools(options?: { fromOrigins?: string[] }): Promise<RegisteredTool[]>;
    executeTool(
      tool: RegisteredTool,
      input?: object,
      options?: { signal?: AbortSignal },
    ): Promise<string | null>;
  }

  interface RegisteredTool {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema?: object;
    readonly annotations?: Record<string, boolean>;
    readonly origin: string;
    readonly window: Window | null;
  }
}

interface Document {
  readonly modelContext?: WebMCP.ModelContext;
}
