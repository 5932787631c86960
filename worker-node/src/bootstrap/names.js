// The nearest real names to one that does not exist.

const LONGEST_COMPARED = 64;
const NAMES_LISTED = 20;

function nearestText(global, wanted, names) {
  if (names.length === 0) return `${global} has no functions`;
  const folded = fold(wanted);
  let nearest = null;
  let nearestDistance = Infinity;
  for (let i = 0; i < names.length; i += 1) {
    // A function that the program has replaced is no advice.
    if (names[i] === wanted) continue;
    if (names[i].length > LONGEST_COMPARED || folded.length > LONGEST_COMPARED) continue;
    const candidate = fold(names[i]);
    const distance = editDistance(folded, candidate);
    if (distance < nearestDistance && distance <= ceil(max(folded.length, candidate.length) / 3)) {
      nearest = names[i];
      nearestDistance = distance;
    }
  }
  let text = nearest === null ? "" : `Did you mean ${global}${memberAccess(nearest)}? `;
  text += `${global} has `;
  for (let i = 0; i < names.length && i < NAMES_LISTED; i += 1) text += `${i === 0 ? "" : ", "}${cut(names[i], 100)}`;
  return names.length <= NAMES_LISTED ? text : `${text} and ${names.length - NAMES_LISTED} more`;
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
  const row = new NativeUint8Array(right.length + 1);
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
