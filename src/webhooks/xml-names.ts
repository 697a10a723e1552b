import { XmlElement, type XmlNode } from '@rgrove/parse-xml';

/** Prefix to namespace, as declared from the root down to an element. */
export type Scope = Readonly<Record<string, string>>;

/** An element with the namespaces that are known inside it. */
export type Scoped = { readonly element: XmlElement; readonly scope: Scope };

/** The element with its own `xmlns` declarations added to those around it. */
export function enter(element: XmlElement, outer: Scope): Scoped {
  const declared = Object.entries(element.attributes).flatMap(([name, value]) => {
    if (name === 'xmlns') return [['', value] as const];
    return name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value] as const] : [];
  });
  return { element, scope: declared.length === 0 ? outer : { ...outer, ...Object.fromEntries(declared) } };
}

/** True when a qualified name (`sf:Id`, or `Id` in the default namespace) means this namespace and local name. */
export function isNamed(qualified: string, scope: Scope, namespace: string, local: string): boolean {
  const colon = qualified.indexOf(':');
  const prefix = colon === -1 ? '' : qualified.slice(0, colon);
  return qualified.slice(colon + 1) === local && Object.hasOwn(scope, prefix) && scope[prefix] === namespace;
}

/** Children of this name, in document order. */
export function childrenNamed(parent: Scoped, namespace: string, local: string): readonly Scoped[] {
  return parent.element.children
    .filter((node: XmlNode): node is XmlElement => node instanceof XmlElement)
    .map((element) => enter(element, parent.scope))
    .filter((child) => isNamed(child.element.name, child.scope, namespace, local));
}

/** The only child of this name; null when there is none or more than one. */
export function onlyChild(parent: Scoped, namespace: string, local: string): Scoped | null {
  const [first, ...others] = childrenNamed(parent, namespace, local);
  return first !== undefined && others.length === 0 ? first : null;
}
