type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

type Tool1stNode = { next?: Tool1stNode };
type ProtoNode = { next?: ProtoNode };
type ArrayNode = { next?: ArrayNode };
type ClassNode = { next?: ClassNode };
type ConstructorNode = { next?: ConstructorNode };
type GetStockNode = { next?: GetStockNode };
type GetStockNode2 = { next?: GetStockNode2 };
type NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode = { next?: NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode };
type QuoteLineNode = { next?: QuoteLineNode };
type ToolNode = { next?: ToolNode };

interface ToolArgsMap {
  /** A digit. */
  "1st": { node?: Tool1stNode };
  /** Another. */
  __proto__: { node?: ProtoNode };
  /** Like a global's name. */
  array: { node?: ArrayNode };
  /** A keyword. */
  class: { node?: ClassNode };
  /** A member of every object. */
  constructor: { node?: ConstructorNode };
  /** With a dash. */
  "get-stock": { node?: GetStockNode };
  /** With an underscore. */
  get_stock: { node?: GetStockNode2 };
  /** Long. */
  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: { node?: NnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnNode };
  /** Two lines. */
  "quote\"\nline": { node?: QuoteLineNode };
  /** A tool. */
  "工具": { node?: ToolNode };
}

interface ToolOutputMap {
  "1st": string;
  __proto__: string;
  array: string;
  class: string;
  constructor: string;
  "get-stock": string;
  get_stock: string;
  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: string;
  "quote\"\nline": string;
  "工具": string;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
