// Types in every place a declaration has for them.
import type { Query, Page } from "./query";
export type Row = { id: number; name?: string };
interface Table<T extends Row = Row> extends Query {
  rows: T[];
  [key: string]: unknown;
  find(id: number): T | undefined;
}
declare const VERSION: string;
declare global { var cache: Map<string, Row> }

let count: number = 0, label!: string;
const [first, { name }]: [number, Row] = [1, { id: 1, name: "é" }];
const pairs = new Map<string, Array<[number, Row]>>();

function find(this: Table, id: number): Row;
function find(this: Table, id: string, strict?: boolean): Row | undefined;
function find(this: Table, id: number | string, strict: boolean = false, ...rest: unknown[]): Row | undefined {
  return this.rows.find((row: Row): row is Row => row.id === id)!;
}

async function* pages<T>(source: AsyncIterable<T>, size?: number): AsyncGenerator<T[]> {
  for await (const item of source as AsyncIterable<T>) yield [item] satisfies T[];
}
