type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** What a failed call rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: ToolName;
}

interface ToolArgsMap {
  scalars_and_constraints: {
    /** How many to return. (integer; 1 to 100; default 10) */
    count: number;
    /** more than 0; less than 1 */
    ratio?: number;
    /** integer; a multiple of 5 */
    step?: number;
    /** 1 to 64 characters; matches /^[a-z*\/]+$/ */
    slug: string;
    /** format date-time; such as "2026-01-01T00:00:00Z" */
    when?: string;
    /** default false */
    flag?: boolean;
    nothing?: null;
    /** integer */
    either?: string | number | null;
    /** at least 1 item; no item twice; each: integer */
    ids?: number[];
    /** deprecated; read-only */
    note?: string;
    /** What people see */
    label?: string;
  };
}

interface ToolOutputMap {
  scalars_and_constraints: null;
}

type ToolName = keyof ToolArgsMap;

declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
