import { readFileSync } from 'node:fs';
import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** Reads a metadata file. Throws an error that names the file when it is not well-formed. */
export function readXml(path: string): XmlElement {
  try {
    const { root } = parseXml(readFileSync(path, 'utf8'));
    if (root === null) throw new Error('it has no root element');
    return root;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The metadata file ${path} cannot be read: ${reason}`, { cause });
  }
}

export function childrenOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
}

/** The trimmed text at the end of a path of element names; undefined when a step is missing. */
export function textAt(parent: XmlElement, ...path: readonly string[]): string | undefined {
  let here: XmlElement | undefined = parent;
  for (const name of path) {
    here = here && childrenOf(here, name)[0];
  }
  return here?.text.trim();
}
