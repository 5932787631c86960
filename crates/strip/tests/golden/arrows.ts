// Arrow functions, whose parentheses may have to move.
const plain = (x: (string | number)) => x;
const generic = <T,>(x: T, y?: T[]): T => x;
const asynchronous = async <T>(x: Promise<T>): Promise<T> => await x;
const broken = (a: number)
  : number =>
  a + 1;
const wide = (a: 型)
  : Promise<型> => a;
const long = async <
  T extends { id: number },
>(x: T) => x;
function restricted(kind: number) {
  if (kind === 0) return <T>
    (x: T) => x;
  throw <T>
    (x: T) => x;
}
const nested = (f: (g: (h: number) => string) => void) => (x = 1 as number, { y }: { y: string } = { y: "" }) => x;
const predicate = (x: unknown): x is string => typeof x === "string";
const assertion = function (x: unknown): asserts x is string {};
