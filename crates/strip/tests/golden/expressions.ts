// Assertions, non-null marks and type arguments, and what would run on without them.
const config = { a: 1, b: [2] } as const satisfies Config;
const x = (y as any as string)!.length;
target.a! += other!.b!.c![0]!;
(target as Record<string, number>).a = 1;
const tagged = sql<Row>`select ${id as number}`;
const instance = new Box<Array<string>>(f<number>(1), g?.<string>("a"));
const partial = identity<string>;
let a = b as string
(c as any)();
let d = e as const
[f, g].forEach(h);
let i = j satisfies K
`text ${l}`.trim();
let m = n
type O = string
(p)();
let q = r
interface S { t: u } (v)();
let w = z
type A1 = 1;
type A2 = 2
/regex/.test(w);
const compare = (a as number) < (b as number) ? a! : b!;
