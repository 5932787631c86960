// Members that vanish, modifiers that vanish, and the semicolons that keep the rest apart.
abstract class Shape<T extends object = {}> implements Named, Sized<T> {
  declare readonly tag: string;
  static readonly count: number = 0;
  readonly #secret?: string = "s";
  protected name!: string;
  public ["computed"]: number = 1;
  private *[Symbol.iterator](): Iterator<T> {}
  get: string;
  set?: string;
  [key: string]: unknown;
  constructor(name: string);
  constructor(public_: string, readonly_?: number) { this.name = public_; }
  abstract area(): number;
  protected abstract readonly kind: string;
  static { this.count satisfies number; }
  get size(): number { return 1 }
  set size(value: number) {}
  override async method?<U>(this: Shape<T>, x: U): Promise<U> { return x }
}
class Field {
  x = 1
  declare y: number
  ;[z] = 5
}
class Open {
  x = y
  declare z: number
  [w] = 5
}
const expression = class<T> extends Base<T> implements I {};
