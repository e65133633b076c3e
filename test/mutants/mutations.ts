import ts from 'typescript';
import { regexMutations } from './regex-mutations.js';

/** One change of a source file that a test should notice. */
export interface Mutation {
  /** From the project's folder, such as `src/scanner/parsers/json.ts`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** What is done, such as `=== → !==`. */
  readonly what: string;
  /** That line before and after, trimmed; together they tell the mutation from all others of the file. */
  readonly from: string;
  readonly to: string;
  /** The whole file with the change. */
  readonly apply: () => string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly what: string;
}

const SWAPPED_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};
const SWAPPED_METHODS: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', min: 'max', max: 'min', startsWith: 'endsWith', endsWith: 'startsWith' },
};
const DROPPED_METHODS = new Set(['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'filter', 'slice', 'sort', 'reverse']);

/** A text that is longer or holds a space is prose or a statement of SQL: what it says is not behaviour. */
const TEXT_CHARS_MAX = 25;
const PROSE_PROPERTIES = new Set(['title', 'explanation', 'fix']);
/** From here on a number is a measure rather than a count: one more would be seen by no test that does not count so far. */
const LARGE_NUMBER = 1000;

/** Every mutation of a file, in the order of its text. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const mutations: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (isNoBehaviour(node)) return;
    for (const edit of editsOf(node)) mutations.push(toMutation(file, text, edit));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutations.filter(({ from, to }) => from !== to);
}

function toMutation(file: string, text: string, { start, end, text: replacement, what }: Edit): Mutation {
  const apply = (): string => text.slice(0, start) + replacement + text.slice(end);
  const line = text.slice(0, start).split('\n').length;
  const lineOf = (all: string): string => (all.split('\n')[line - 1] ?? '').trim();
  return { file, line, what, from: lineOf(text), to: lineOf(apply()), apply };
}

/** Types, imports, texts for people, and what a comparison for sorting gives: only its sign counts. */
function isNoBehaviour(node: ts.Node): boolean {
  if (ts.isNumericLiteral(node)) return isOfSign(node.parent);
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isTaggedTemplateExpression(node)) return node.tag.getText() === 'safeText';
  if (ts.isJsxAttribute(node)) return node.initializer === undefined || ts.isStringLiteral(node.initializer);
  return ts.isPropertyAssignment(node) && PROSE_PROPERTIES.has(node.name.getText());
}

/** `-1 : 1`, in either order. */
function isOfSign(node: ts.Node): boolean {
  const choice = ts.isPrefixUnaryExpression(node) ? node.parent : node;
  if (!ts.isConditionalExpression(choice)) return false;
  const ways = [choice.whenTrue.getText(), choice.whenFalse.getText()];
  return ways.includes('1') && ways.includes('-1');
}

function editsOf(node: ts.Node): Edit[] {
  if (ts.isBinaryExpression(node)) return mutateBinary(node);
  if (ts.isPrefixUnaryExpression(node)) return mutatePrefix(node);
  if (ts.isIfStatement(node)) return [...negate(node.expression), ...emptyBranches(node)];
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return negate(node.expression);
  if (ts.isConditionalExpression(node)) return negate(node.condition);
  if (ts.isExpressionStatement(node)) return removeStatement(node);
  if (ts.isReturnStatement(node)) return node.expression ? replaceValue(node.expression) : [];
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : replaceValue(node.body);
  if (ts.isCallExpression(node)) return mutateCall(node);
  return mutateLiteral(node);
}

function replace(node: ts.Node, text: string, what: string): Edit {
  return { start: node.getStart(), end: node.getEnd(), text, what };
}

function mutateBinary(node: ts.BinaryExpression): Edit[] {
  const { left, right, operatorToken } = node;
  const operator = operatorToken.getText();
  if (operator === '+' && (hasProse(left) || hasProse(right))) return [];
  const edits = (SWAPPED_OPERATORS[operator] ?? []).map((other) =>
    replace(operatorToken, other, `${operator} → ${other}`),
  );
  if (operator === '&&' || operator === '||') {
    edits.push(replace(node, left.getText(), `right of ${operator} dropped`));
    edits.push(replace(node, right.getText(), `left of ${operator} dropped`));
  }
  if (operator === '??') edits.push(replace(node, left.getText(), 'right of ?? dropped'));
  return edits;
}

function hasProse(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node)) return true;
  if (ts.isStringLiteralLike(node)) return isProse(node.text);
  return ts.isBinaryExpression(node) && (hasProse(node.left) || hasProse(node.right));
}

function mutatePrefix(node: ts.PrefixUnaryExpression): Edit[] {
  if (node.operator === ts.SyntaxKind.ExclamationToken) return [replace(node, node.operand.getText(), '! dropped')];
  if (node.operator === ts.SyntaxKind.MinusToken) return [replace(node, node.operand.getText(), '- dropped')];
  return [];
}

/** A comparison and a `!` have mutations of their own that say the same. */
function negate(condition: ts.Expression): Edit[] {
  const isNegatedElsewhere =
    (ts.isBinaryExpression(condition) && /^[=!<>]/.test(condition.operatorToken.getText())) ||
    ts.isPrefixUnaryExpression(condition) ||
    condition.kind === ts.SyntaxKind.TrueKeyword;
  return isNegatedElsewhere ? [] : [replace(condition, `!(${condition.getText()})`, 'condition negated')];
}

function emptyBranches({ thenStatement, elseStatement }: ts.IfStatement): Edit[] {
  const edits = [replace(thenStatement, '{}', 'body of if emptied')];
  if (elseStatement) edits.push(replace(elseStatement, '{}', 'body of else emptied'));
  return edits;
}

/** One that is a branch by itself has the mutation of the branch, which the compiler takes. */
function removeStatement(node: ts.ExpressionStatement): Edit[] {
  if (ts.isIfStatement(node.parent)) return [];
  let { expression } = node;
  while (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) ({ expression } = expression);
  if (ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword) return [];
  return ts.isStringLiteral(expression) ? [] : [replace(node, ';', 'statement removed')];
}

/** What has a mutation of its own as a literal is left to it. */
function replaceValue(value: ts.Expression): Edit[] {
  const isLiteral = ts.isLiteralExpression(value) || ts.isArrayLiteralExpression(value) || isBoolean(value);
  const isNothing = value.kind === ts.SyntaxKind.NullKeyword || /^(?:undefined|void 0)$/.test(value.getText());
  return isLiteral || isNothing ? [] : [replace(value, 'undefined', 'value → undefined')];
}

function isBoolean(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
}

function mutateCall({ expression }: ts.CallExpression): Edit[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const name = expression.name.text;
  const other = Object.hasOwn(SWAPPED_METHODS, name) ? SWAPPED_METHODS[name] : undefined;
  if (other !== undefined) return [replace(expression.name, other, `${name} → ${other}`)];
  const whole = expression.parent;
  return DROPPED_METHODS.has(name) ? [replace(whole, expression.expression.getText(), `.${name}() dropped`)] : [];
}

function mutateLiteral(node: ts.Node): Edit[] {
  if (isBoolean(node)) {
    const [is, other] = node.kind === ts.SyntaxKind.TrueKeyword ? ['true', 'false'] : ['false', 'true'];
    return [replace(node, other, `${is} → ${other}`)];
  }
  if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    const other = String(value < LARGE_NUMBER ? value + 1 : value * 2);
    return [replace(node, other, `${node.getText()} → ${other}`)];
  }
  if (ts.isStringLiteralLike(node)) return mutateText(node);
  if (ts.isRegularExpressionLiteral(node)) {
    return regexMutations(node.text).map(({ text, what }) => replace(node, text, what));
  }
  if (!ts.isArrayLiteralExpression(node) || node.elements.length === 0) return [];
  const isTarget = ts.isBinaryExpression(node.parent) && node.parent.left === node;
  return isTarget ? [] : [replace(node, '[]', 'array emptied')];
}

function mutateText(node: ts.StringLiteralLike): Edit[] {
  const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  const isModule = ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  if (isName || isModule || isProse(node.text)) return [];
  const other = node.text === '' ? "'mutant'" : "''";
  return [replace(node, other, `${node.getText()} → ${other}`)];
}

function isProse(text: string): boolean {
  return text.length > TEXT_CHARS_MAX || /\S\s/.test(text);
}
