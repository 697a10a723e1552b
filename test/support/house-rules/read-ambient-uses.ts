import { type AstNode, nameOf, visitNodes } from './syntax-tree.ts';

/** An ambient input or output that a source should get as a parameter. */
export type AmbientUse = 'environment' | 'clock' | 'output' | 'computed import';

/** Text by which each use can be recognised. Parsing a file takes a thousand times as long, and most files match nothing. */
const NAMES_ANY = /\b(?:process|Date|console)\b|\bimport\s*\(/;

/**
 * Where a TypeScript source reads `process.env`, reads the clock (`Date.now()`, `new Date()` without an argument), prints (`console`,
 * `process.stdout`, `process.stderr`), or imports a path that is computed at run time. Throws on a syntax error in a source that matches
 * one of them.
 */
export function readAmbientUses(source: string): readonly { readonly use: AmbientUse; readonly line: number }[] {
  if (!NAMES_ANY.test(source)) return [];
  const found: { use: AmbientUse; line: number }[] = [];
  visitNodes(source, (node) => {
    const use = useOf(node);
    if (use !== null) found.push({ use, line: source.slice(0, node.start).split('\n').length });
  });
  return found;
}

function useOf(node: AstNode): AmbientUse | null {
  if (isMember(node, 'process', 'env')) return 'environment';
  if (isMember(node, 'Date', 'now') || isBareDate(node)) return 'clock';
  if (isMember(node, 'process', 'stdout') || isMember(node, 'process', 'stderr')) return 'output';
  if (node.type === 'MemberExpression' && nameOf(node['object']) === 'console') return 'output';
  if (node.type !== 'ImportExpression') return null;
  const { type, value } = node['source'] as AstNode;
  return type === 'Literal' && typeof value === 'string' ? null : 'computed import';
}

function isBareDate(node: AstNode): boolean {
  if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'Date') return false;
  return (node['arguments'] as readonly unknown[]).length === 0;
}

function isMember(node: AstNode, object: string, property: string): boolean {
  return node.type === 'MemberExpression' && nameOf(node['object']) === object && nameOf(node['property']) === property;
}
