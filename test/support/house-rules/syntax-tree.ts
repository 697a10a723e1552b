import { parseAst } from 'vitest/node';

export type AstNode = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

/** Visits every node of a TypeScript source. Throws on a syntax error. */
export function visitNodes(source: string, visit: (node: AstNode) => void): void {
  walk(parseAst(source, { lang: 'ts' }), visit);
}

/** The name of an identifier, or the text of a literal; null for other nodes. */
export function nameOf(node: unknown): string | null {
  const { type, name, value } = node as { type?: string; name?: string; value?: unknown };
  if (type === 'Identifier') return name ?? null;
  return type === 'Literal' && typeof value === 'string' ? value : null;
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
