import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeAudit } from '../../scripts/dependencies/judge-audit.ts';
import {
  ALLOWED,
  ALLOWED_FOR_TOOLS,
  isAllowed,
  licencesPage,
  licensedPackages,
} from '../../scripts/dependencies/licences.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('the licences of the dependencies', () => {
  it('are listed as the lock file has them: else run "npm run docs:licences"', () => {
    expect(readFileSync(join(ROOT, 'docs', 'licences.md'), 'utf8')).toBe(licencesPage());
  });

  it('are all allowed', () => {
    const packages = licensedPackages();
    expect(packages.length).toBeGreaterThan(400);
    const refused = packages.filter(
      ({ licence, isForDevelopment }) => !isAllowed(licence, isForDevelopment ? ALLOWED_FOR_TOOLS : ALLOWED),
    );
    expect(refused.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  it('that no manifest names are those of the licence file', () => {
    const text = readFileSync(join(ROOT, 'node_modules', 'unionfs', 'LICENSE'), 'utf8');
    expect(text).toContain('released into the public domain');
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['Apache-2.0 AND MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['MPL-2.0', false],
    ['none', false],
  ])('%s is allowed to run: %s', (expression, allowed) => {
    expect(isAllowed(expression, ALLOWED)).toBe(allowed);
  });
});

describe('what npm audit printed', () => {
  const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });

  it('names each package with a known advisory', () => {
    const printed = report({ undici: { name: 'undici', severity: 'high', range: '<8.12.5' } });
    expect(judgeAudit(printed)).toEqual({ advisories: ['undici <8.12.5: high'] });
  });

  it('is a clean verdict only as a report', () => {
    expect(judgeAudit(report({}))).toEqual({ advisories: [] });
  });

  it.each([
    [
      JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }),
      '405 Method Not Allowed',
    ],
    [JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'no network' } }), 'no network'],
    ['', 'npm printed no report'],
    ['[]', 'the registry gave no report'],
    ['null', 'npm printed no report'],
  ])('is no verdict where the registry gave none: %s', (printed, reason) => {
    expect(judgeAudit(printed)).toEqual({ notChecked: reason });
  });
});
