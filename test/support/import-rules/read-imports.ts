import { parseAst } from 'vitest/node';

/** One import or re-export of a file. `typeOnly` ones leave no trace at run time. */
export type ImportStatement = {
  readonly specifier: string;
  readonly typeOnly: boolean;
  readonly line: number;
};

type AstNode = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

/** Every static and dynamic import and re-export of a TypeScript source. Throws on a syntax error. */
export function readImports(source: string): readonly ImportStatement[] {
  const found: ImportStatement[] = [];
  walk(parseSource(source), (node) => {
    const literal = node['source'] as { readonly value?: unknown } | null | undefined;
    if (!IMPORTING.has(node.type) || literal === null || literal === undefined) return;
    const specifier = typeof literal.value === 'string' ? literal.value : '(computed)';
    found.push({ specifier, typeOnly: isTypeOnly(node), line: lineOf(source, node.start) });
  });
  return found;
}

/** The names that a source imports from a module for use at run time. */
export function readImportedNames(source: string, module: string): readonly string[] {
  const found: string[] = [];
  walk(parseSource(source), (node) => {
    const { value } = (node['source'] ?? {}) as { readonly value?: unknown };
    if (node.type !== 'ImportDeclaration' || value !== module || isTypeOnly(node)) return;
    const specifiers = node['specifiers'] as readonly AstNode[];
    const atRunTime = specifiers.filter((one) => one['importKind'] !== 'type');
    found.push(...atRunTime.map((one) => nameOf(one['imported']) ?? '(all of it)'));
  });
  return found;
}

/** Where a source reads `process.env`, `Date.now()` or `new Date()` without an argument, as line numbers. */
export function readAmbientUses(
  source: string,
): Readonly<Record<'environment' | 'clock', readonly number[]>> {
  const environment: number[] = [];
  const clock: number[] = [];
  walk(parseSource(source), (node) => {
    if (isMember(node, 'process', 'env')) environment.push(lineOf(source, node.start));
    if (isMember(node, 'Date', 'now')) clock.push(lineOf(source, node.start));
    const isBareDate = node.type === 'NewExpression' && (node['arguments'] as unknown[]).length === 0;
    if (isBareDate && nameOf(node['callee']) === 'Date') clock.push(lineOf(source, node.start));
  });
  return { environment, clock };
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
]);

function parseSource(source: string): AstNode {
  return parseAst(source, { lang: 'ts' }) as unknown as AstNode;
}

function isTypeOnly(node: AstNode): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  const specifiers = node['specifiers'] as readonly AstNode[] | undefined;
  if (specifiers === undefined || specifiers.length === 0) return false;
  return specifiers.every((one) => one['importKind'] === 'type' || one['exportKind'] === 'type');
}

function isMember(node: AstNode, object: string, property: string): boolean {
  return (
    node.type === 'MemberExpression' &&
    nameOf(node['object']) === object &&
    nameOf(node['property']) === property
  );
}

function nameOf(node: unknown): string | null {
  const { type, name, value } = node as { type?: string; name?: string; value?: unknown };
  if (type === 'Identifier') return name ?? null;
  return type === 'Literal' && typeof value === 'string' ? value : null;
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function walk(node: unknown, visit: (node: AstNode) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (typeof (node as AstNode).type === 'string') visit(node as AstNode);
  for (const child of Object.values(node)) walk(child, visit);
}
