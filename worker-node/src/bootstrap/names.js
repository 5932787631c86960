// What a program meant by a name that does not exist.

// In bytes, as the host counts.
const LONGEST_COMPARED = 256;
const NAMES_LISTED = 20;
const NEAREST_SHOWN = 3;

// The tool that runs programs, which none of them is given.
const RUN_CODE = "run_code";
const ONE_PROGRAM = "A program cannot run another one, so write what that one would do into this one";

function nearestText(global, wanted, names) {
  if (wanted === RUN_CODE) return ONE_PROGRAM;
  if (names.length === 0) return `${global} has no functions`;
  let near = "";
  for (let best = nearest(wanted, names), i = 0; i < NEAREST_SHOWN && best !== null; i += 1, best = best.next) {
    near += `${i === 0 ? "" : " or "}${global}${memberAccess(best.name)}`;
  }
  let text = near === "" ? "" : `Did you mean ${near}? `;
  if (near === "" && TOOL_CALLERS[fold(wanted)] !== undefined) text = "Each tool is a function of its own: ";
  text += `${global} has `;
  for (let i = 0; i < names.length && i < NAMES_LISTED; i += 1) text += `${i === 0 ? "" : ", "}${cut(names[i], 100)}`;
  return names.length <= NAMES_LISTED ? text : `${text} and ${names.length - NAMES_LISTED} more`;
}

// Those of `names` that are nearly `wanted`, nearest first, as a linked list. The host's own rule: edit distance without
// case and separators, up to a third of the length; then with them; then by name.
function nearest(wanted, names) {
  if (byteLength(wanted) > LONGEST_COMPARED) return null;
  const folded = fold(wanted);
  let first = null;
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    // A function that the program has replaced is no advice.
    if (name === wanted || byteLength(name) > LONGEST_COMPARED) continue;
    const candidate = fold(name);
    const distance = editDistance(folded, candidate);
    if (distance > ceil(max(folded.length, candidate.length) / 3)) continue;
    const one = { __proto__: null, name, distance, exact: editDistance(wanted, name), next: null };
    if (first === null || isNearer(one, first)) {
      one.next = first;
      first = one;
      continue;
    }
    let before = first;
    while (before.next !== null && !isNearer(one, before.next)) before = before.next;
    one.next = before.next;
    before.next = one;
  }
  return first;
}

function isNearer(one, other) {
  if (one.distance !== other.distance) return one.distance < other.distance;
  if (one.exact !== other.exact) return one.exact < other.exact;
  return one.name < other.name;
}

// Case and separators are what models get wrong most.
function fold(name) {
  const lower = toLowerCase(name);
  let folded = "";
  for (let i = 0; i < lower.length; i += 1) {
    const character = lower[i];
    if (character !== "_" && character !== "-" && character !== "." && character !== " ") folded += character;
  }
  return folded;
}

// Levenshtein's distance, one row at a time.
function editDistance(left, right) {
  const row = new NativeUint16Array(right.length + 1);
  for (let j = 0; j <= right.length; j += 1) row[j] = j;
  for (let i = 0; i < left.length; i += 1) {
    let diagonal = row[0];
    row[0] = i + 1;
    for (let j = 0; j < right.length; j += 1) {
      const cost = diagonal + (left[i] === right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = min(cost, row[j] + 1, diagonal + 1);
    }
  }
  return row[right.length];
}

// What models call the object that holds the tools, whatever they were told.
const TOOL_HOLDERS = {
  __proto__: null,
  tool: true,
  functions: true,
  function: true,
  api: true,
  sdk: true,
  mcp: true,
  defaultapi: true,
  codemode: true,
};
const DECLARED_TYPES = { __proto__: null, JsonValue: true, ToolArgsMap: true, ToolName: true, ToolOutputMap: true };

// Of a name that is not defined: what the host gives in its place, and whether that is all there is to say.
function meantByName(name) {
  const { namespaces } = startMessage;
  if (namespaces.length === 0) return null;
  if (name === RUN_CODE) return { __proto__: null, text: ONE_PROGRAM, sure: true };
  if (DECLARED_TYPES[name] === true) {
    return { __proto__: null, text: `\`${name}\` is a type: it is gone when the program runs, and only annotations may name it`, sure: true };
  }
  const folded = withoutPlural(fold(name));
  for (let i = 0; i < namespaces.length; i += 1) {
    const { global } = namespaces[i];
    if (TOOL_CALLERS[fold(name)] !== "anywhere" && TOOL_HOLDERS[fold(name)] !== true && folded !== withoutPlural(fold(global))) continue;
    return { __proto__: null, text: `If tools are meant, they are called as \`await ${global}.name(…)\``, sure: false };
  }
  return null;
}

function withoutPlural(word) {
  return word.length > 1 && word[word.length - 1] === "s" ? slice(word, 0, word.length - 1) : word;
}

// Of a module that cannot be found: a global that needs no import.
function meantByModule(specifier) {
  const { namespaces } = startMessage;
  for (let i = 0; i < namespaces.length; i += 1) {
    const { global } = namespaces[i];
    if (specifier !== global && indexOf(specifier, `${global}/`) !== 0) continue;
    return `\`${global}\` needs no import: leave that line out and write \`await ${global}.name(…)\``;
  }
  return null;
}
