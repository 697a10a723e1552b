import { XmlElement, type XmlNode } from '@rgrove/parse-xml';

/** The XML namespaces that an element declares, by prefix. `outer`: the `Scope` of its parent. */
export type Scope = { readonly declared: ReadonlyMap<string, string>; readonly outer: Scope | null };

/** An element with the XML namespaces that apply to it and its children. */
export type Scoped = { readonly element: XmlElement; readonly scope: Scope };

/** Enters an element: adds the namespaces in its `xmlns` declarations to those of its parent. */
export function enter(element: XmlElement, outer: Scope | null): Scoped {
  const declared = new Map<string, string>();
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name === 'xmlns') declared.set('', value);
    else if (name.startsWith('xmlns:')) declared.set(name.slice('xmlns:'.length), value);
  }
  return { element, scope: { declared, outer } };
}

/** Whether a qualified name (`sf:Id`, or `Id` in the default namespace) has this namespace and local name. */
export function isNamed(qualified: string, scope: Scope, namespace: string, local: string): boolean {
  const colon = qualified.indexOf(':');
  const prefix = colon === -1 ? '' : qualified.slice(0, colon);
  return qualified.slice(colon + 1) === local && namespaceOf(prefix, scope) === namespace;
}

function namespaceOf(prefix: string, scope: Scope): string | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const namespace = at.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** Children with this name, in document order. */
export function childrenNamed(parent: Scoped, namespace: string, local: string): readonly Scoped[] {
  return parent.element.children
    .filter((node: XmlNode): node is XmlElement => node instanceof XmlElement)
    .map((element) => enter(element, parent.scope))
    .filter((child) => isNamed(child.element.name, child.scope, namespace, local));
}

/** The only child with this name; null if there is no such child or more than one. */
export function onlyChild(parent: Scoped, namespace: string, local: string): Scoped | null {
  const [first, ...others] = childrenNamed(parent, namespace, local);
  return first !== undefined && others.length === 0 ? first : null;
}
