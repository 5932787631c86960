// What the line that failed says of a mistake that V8's own words leave open.

const ASSIGNS = /^=(?![=>])/;
const NAME_BEFORE = /(^|[^\w$.])([\w$]+)\s*$/;
const BEGINS_ARGUMENT = /[(,]\s*$/;
const CALLEE = /(^|[^\w$.])([\w$.]*[\w$\])])\s*$/;
// What stands before a parenthesis and is not called.
const NOT_CALLED = { __proto__: null, for: true, if: true, switch: true, while: true, with: true, return: true, await: true, typeof: true };
// Of the program before the column, so much is looked at.
const MOST_BEFORE = 200;
const LIST_OF_PROMISES = /^(?:all|allSettled|any|race)\(/;
const PARSED_TWICE = /^(?:"\[object Object\]" is not valid JSON|Unexpected token o in JSON at position 1)$/;
const EACH_ASYNC = /\.forEach\(\s*async\b/;
const MAP_ASYNC = /\.(?:map|flatMap)\(\s*async\b/;

// What programs call a function that they take to call a tool by its name; as a member of the tools, or anywhere.
const TOOL_CALLERS = {
  __proto__: null,
  call: "member",
  execute: "member",
  invoke: "member",
  run: "member",
  calltool: "anywhere",
  executetool: "anywhere",
  invoketool: "anywhere",
  runtool: "anywhere",
  usetool: "anywhere",
};

// The text of the line, what is before the column, and what is behind it in the line; null where no frame says where.
function placeOf(frames) {
  const found = match(POSITION, frames);
  if (found === null) return null;
  const { program } = startMessage;
  let start = 0;
  for (let line = 1; line < +found[1]; line += 1) {
    start = indexOf(program, "\n", start) + 1;
    if (start === 0) return null;
  }
  const end = indexOf(program, "\n", start);
  const text = slice(program, start, end === -1 ? program.length : end);
  const at = min(start + +found[2] - 1, program.length);
  return { __proto__: null, text, before: slice(program, max(0, at - MOST_BEFORE), at), rest: slice(text, +found[2] - 1) };
}

// Whether what stands behind a text is an argument of a call that begins in it.
function isInArguments(before) {
  if (match(BEGINS_ARGUMENT, before) === null) return false;
  let open = 1;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const character = before[i];
    if (character === ")" || character === "]" || character === "}") open += 1;
    if (character !== "(" && character !== "[" && character !== "{") continue;
    open -= 1;
    if (open > 0) continue;
    const callee = character === "(" ? match(CALLEE, slice(before, 0, i)) : null;
    return callee !== null && NOT_CALLED[callee[2]] !== true;
  }
  return false;
}

// A name that is set and was never declared, or that stands in a call as Python names an argument.
function assignedHint(name, place) {
  // V8 points to the sign.
  if (place === null || match(ASSIGNS, place.rest) === null) return "";
  const target = match(NAME_BEFORE, place.before);
  if (target === null || target[2] !== name) return "";
  if (isInArguments(slice(place.before, 0, target.index + target[1].length))) return `. Named arguments are given in one object: write \`{ ${name}: … }\``;
  return `. Declare a variable where it is first set: \`let ${name} = …\``;
}

// A name with other characters, written as if it had none: `tools.send-mail(…)`.
function bracketsHint(place) {
  if (place === null) return "";
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const { global, functions } = startMessage.namespaces[i];
    for (let j = 0; j < functions.length; j += 1) {
      const access = memberAccess(functions[j]);
      if (access[0] === "[" && indexOf(place.text, `${global}.${functions[j]}`) !== -1) {
        return `. This name is written in brackets: \`await ${global}${access}(…)\``;
      }
    }
  }
  return "";
}

function typeErrorHint(message, place) {
  for (let i = 0; i < startMessage.namespaces.length; i += 1) {
    const { global, error } = startMessage.namespaces[i];
    if (message === `${global} is not a function`) return `. Each tool is a function of its own: write \`await ${global}.name({ key: value })\``;
    if (place === null || error === undefined) continue;
    const named = indexOf(place.text, `${global}.${error.class}`) !== -1;
    if (named && (indexOf(message, "instanceof") !== -1 || indexOf(message, "is not a constructor") !== -1)) {
      return `. \`${error.class}\` is a name of its own: write it without \`${global}.\``;
    }
  }
  if (place !== null && indexOf(message, "not iterable") !== -1 && match(LIST_OF_PROMISES, place.rest) !== null) {
    return ". It takes one list: write `await Promise.all([a, b])`";
  }
  return "";
}

// Of a text that is no JSON because it was never a text.
function parsedTwiceHint(message) {
  if (match(PARSED_TWICE, message) === null) return "";
  // Before Node 20 its words fit a text as well.
  const surely = indexOf(message, "Unexpected") === -1;
  const found = surely ? "JSON.parse was given an object, which" : "If JSON.parse was given an object, that";
  return `. ${found} needs no parsing: leave JSON.parse out`;
}

// Why a program that awaits inside a function has not waited.
function unawaitedListHint() {
  const { program } = startMessage;
  if (match(EACH_ASYNC, program) !== null) {
    return "; `forEach` waits for no async function: use `for (const one of list) { await … }`";
  }
  if (match(MAP_ASYNC, program) !== null && indexOf(program, "Promise.all") === -1) {
    return "; `map` with an async function gives a list of promises: write `await Promise.all(list.map(…))`";
  }
  return "";
}
