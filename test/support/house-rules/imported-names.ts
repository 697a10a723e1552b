import { type AstNode, nameOf, visitNodes } from './syntax-tree.ts';

/** The names that a TypeScript source imports from a module for run time. Throws on a syntax error. */
export function readImportedNames(source: string, module: string): readonly string[] {
  const found: string[] = [];
  visitNodes(source, (node) => {
    const { value } = (node['source'] ?? {}) as { readonly value?: unknown };
    if (node.type !== 'ImportDeclaration' || value !== module || node['importKind'] === 'type') return;
    const specifiers = node['specifiers'] as readonly AstNode[];
    const atRunTime = specifiers.filter((one) => one['importKind'] !== 'type');
    found.push(...atRunTime.map((one) => nameOf(one['imported']) ?? '(all of it)'));
  });
  return found;
}
