import { failure } from '../store/failure.ts';

export type Part = { readonly name: string; readonly content: string };

/**
 * The parts of a multipart/form-data body by the boundary of its content type. Lines may end in LF alone, as those of
 * the guide's own example do. Throws 400 for a body without a boundary.
 */
export function readParts(contentType: string, text: string): readonly Part[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw failure(400, 'CLIENTINPUTERROR', 'The multipart body has no boundary.');
  return text.split(`--${boundary}`).slice(1, -1).map(readPart);
}

function readPart(text: string): Part {
  const [, head = '', content = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)\r?\n$/s.exec(text) ?? [];
  return { name: /name="([^"]*)"/i.exec(head)?.[1] ?? '', content };
}
