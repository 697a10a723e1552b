import { FIELD_GROUPS, fieldText } from 'lockstep-simulators/vendor-fields';
import { DOCUMENTED_INTERFACES, type DocumentedInterface } from './documented-interfaces.ts';

const LINE_WIDTH = 140;
const INTERFACE = /^export interface (\w+)/;
const MEMBER = /^ {2}readonly (\w+)\??:/;
/** Matches a member that must be absent. It keeps its own comment, because the vendor's description is of a value. */
const ABSENT = /\?: undefined;$/;
const COMMENT = /^ {2}(\/\*\*| \*)/;

/**
 * The source with a generated doc comment at each field of an interface of the vendor; replaces existing comments. Expects the layout that
 * Biome writes.
 */
export function withFieldDocs(source: string): string {
  let documented: DocumentedInterface | undefined;
  let comment: string[] = [];
  return source
    .split('\n')
    .flatMap((line) => {
      const [, opened] = INTERFACE.exec(line) ?? [];
      if (opened !== undefined) documented = DOCUMENTED_INTERFACES[opened];
      if (COMMENT.test(line)) {
        comment.push(line);
        return [];
      }
      const [, member] = MEMBER.exec(line) ?? [];
      const text = member && documented && !ABSENT.test(line) && textOf(documented, member);
      const lines = [...(text ? asComment(text) : comment), line];
      comment = [];
      return lines;
    })
    .join('\n');
}

function textOf({ groups, notes }: DocumentedInterface, member: string): string | undefined {
  const [text] = groups.flatMap((group) => fieldText(FIELD_GROUPS[group], member) ?? []);
  const note = notes?.[member];
  return text === undefined || note === undefined ? text : `${text} ${note}`;
}

function asComment(text: string): readonly string[] {
  const single = `  /** ${text} */`;
  if (single.length <= LINE_WIDTH) return [single];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last === undefined || longer.length > LINE_WIDTH) lines.push(`   * ${word}`);
    else lines.splice(-1, 1, longer);
  }
  return ['  /**', ...lines, '   */'];
}
