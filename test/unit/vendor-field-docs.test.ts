import { readFileSync } from 'node:fs';
import { ENVELOPE_FIELDS, FIELD_GROUPS, type FieldGroupName } from 'lockstep-simulators/vendor-fields';
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_INTERFACES } from '../../scripts/field-docs/documented-interfaces.ts';
import { TYPE_FILES } from '../../scripts/field-docs/type-files.ts';
import { withFieldDocs } from '../../scripts/field-docs/with-field-docs.ts';

const sources = TYPE_FILES.map((file) => readFileSync(file, 'utf8'));

/** The members of each interface of a source, each with the line before it. */
function membersOf(source: string): readonly { owner: string; member: string; before: string }[] {
  const blocks = source.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms);
  return [...blocks].flatMap(([, owner = '', body = '']) =>
    [...body.matchAll(/(.*)\n {2}readonly (\w+)\??:/g)].map(([, before = '', member = '']) => ({
      owner,
      member,
      before,
    })),
  );
}

const members = sources.flatMap((source) => membersOf(source.replace(/\{\n/g, '{\n\n')));

describe('the types of the vendor’s client', () => {
  it('say of each field what the documents say of it, in the words of simulators/src/vendor-fields', () => {
    for (const source of sources) expect(withFieldDocs(source), 'npm run docs:fields').toBe(source);
  });

  it('leave no field without words', () => {
    expect(members.length).toBeGreaterThan(200);
    const silent = members.filter(({ before }) => !before.endsWith('*/'));
    expect(silent.map(({ owner, member }) => `${owner}.${member}`)).toEqual([]);
  });

  it('have no interface whose words come from elsewhere', () => {
    const owners = [...new Set(members.map(({ owner }) => owner))];
    expect(owners.toSorted()).toEqual(Object.keys(DOCUMENTED_INTERFACES).toSorted());
  });
});

describe('the words on fields', () => {
  /** Read under their v1 names, whichever version is asked. */
  const ONLY_V0 = ['opportunity', /^billTo\w+(Amount|Percentage)$/, /^(max|min)imumCustomer/];

  /** The client gives the envelope in a form of its own. */
  const groups = (Object.keys(FIELD_GROUPS) as FieldGroupName[]).filter((group) => !(group in ENVELOPE_FIELDS));

  it.each(groups)('%s: each is shown by a type of the client', (group) => {
    const shown = members.filter(({ owner }) => DOCUMENTED_INTERFACES[owner]?.groups.includes(group));
    const names = new Set(shown.map(({ member }) => member));
    const unused = Object.keys(FIELD_GROUPS[group].fields).filter((name) => !names.has(name));
    expect(unused.filter((name) => !ONLY_V0.some((only) => name.match(only) !== null))).toEqual([]);
  });

  it('are whole sentences, of a section of a document', () => {
    for (const { section, fields } of Object.values(FIELD_GROUPS)) {
      expect(section).toMatch(/^(sales|order) spec \d/);
      for (const text of Object.values(fields)) expect(text).toMatch(/^\S.*\.$/s);
    }
  });
});

describe('withFieldDocs', () => {
  it('replaces what stood there, keeps its hands off other interfaces, and does nothing twice', () => {
    const source = [
      'export interface Coupon extends HasExtra {',
      '  /**',
      '   * Old',
      '   */',
      '  readonly name?: string | null;',
      '}',
      'export interface Other {',
      '  /** Its own. */',
      '  readonly name: string;',
      '}',
    ].join('\n');
    const written = withFieldDocs(source);
    expect(written).toContain('  /** Name of the coupon. (order spec 2.5) */\n  readonly name?');
    expect(written).toContain('  /** Its own. */\n  readonly name: string');
    expect(written).not.toContain('Old');
    expect(withFieldDocs(written)).toBe(written);
  });
});
