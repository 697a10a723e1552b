import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CRM_ANSWERS } from '../../src/salesforce/answer-codes.ts';
import { classifyAnswer, isBystander } from '../../src/salesforce/classify.ts';

const row = (errorCode: string, extra: object = {}) => [{ errorCode, message: 'said "Jane Roe" is 42', ...extra }];

describe('classifyAnswer', () => {
  it.each([
    [500, row('UNABLE_TO_LOCK_ROW'), 'transient', 'UNABLE_TO_LOCK_ROW'],
    [400, row('UNABLE_TO_LOCK_ROW'), 'transient', 'UNABLE_TO_LOCK_ROW'],
    [503, row('SERVER_UNAVAILABLE'), 'transient', 'SERVER_UNAVAILABLE'],
    [400, row('REQUEST_RUNNING_TOO_LONG'), 'transient', 'REQUEST_RUNNING_TOO_LONG'],
    [502, 'Bad gateway', 'transient', 'HTTP_502'],
    [500, row('SOMETHING_NEW'), 'transient', 'SOMETHING_NEW'],
    [420, '', 'transient', 'HTTP_420'],
    [404, '<!DOCTYPE html><html>…', 'unknown', 'HTTP_404'],
    [403, '<html>blocked</html>', 'unknown', 'HTTP_403'],
    [401, '<html>sign in</html>', 'unknown', 'HTTP_401'],
    [400, '<html>bad</html>', 'unknown', 'HTTP_400'],
    [406, '', 'busy', 'HTTP_406'],
    [409, '', 'busy', 'HTTP_409'],
    [423, '', 'busy', 'HTTP_423'],
    [425, '', 'busy', 'HTTP_425'],
    [
      400,
      row('INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE'),
      'busy',
      'INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE',
    ],
    [400, row('ENTITY_IS_LOCKED'), 'busy', 'ENTITY_IS_LOCKED'],
    [400, row('TOO_MANY_APEX_REQUESTS'), 'busy', 'TOO_MANY_APEX_REQUESTS'],
    [400, row('LIMIT_EXCEEDED'), 'governor', 'LIMIT_EXCEEDED'],
    [429, row('REQUEST_LIMIT_EXCEEDED'), 'throttled', 'REQUEST_LIMIT_EXCEEDED'],
    [403, row('REQUEST_LIMIT_EXCEEDED'), 'systemic', 'REQUEST_LIMIT_EXCEEDED'],
    [401, row('INVALID_SESSION_ID'), 'systemic', 'INVALID_SESSION_ID'],
    [401, '', 'systemic', 'HTTP_401'],
    [403, row('API_DISABLED_FOR_ORG'), 'systemic', 'API_DISABLED_FOR_ORG'],
    [400, { error: 'invalid_grant', error_description: 'user Jane' }, 'systemic', 'invalid_grant'],
    [400, row('FIELD_CUSTOM_VALIDATION_EXCEPTION'), 'permanent', 'FIELD_CUSTOM_VALIDATION_EXCEPTION'],
    [400, row('REQUIRED_FIELD_MISSING'), 'permanent', 'REQUIRED_FIELD_MISSING'],
    [400, row('DUPLICATE_VALUE'), 'permanent', 'DUPLICATE_VALUE'],
    [400, row('NEVER_HEARD_OF'), 'unknown', 'NEVER_HEARD_OF'],
    [400, row('INVALID_FIELD'), 'schema-mismatch', 'INVALID_FIELD'],
    [403, row('INSUFFICIENT_ACCESS_OR_READONLY'), 'schema-mismatch', 'INSUFFICIENT_ACCESS_OR_READONLY'],
    [412, row('DUPLICATE_VALUE'), 'stale', 'DUPLICATE_VALUE'],
    [412, null, 'stale', 'HTTP_412'],
    [400, row('CANNOT_UPDATE_CONVERTED_LEAD'), 'stale', 'CANNOT_UPDATE_CONVERTED_LEAD'],
    [404, row('NOT_FOUND'), 'gone', 'NOT_FOUND'],
    [404, row('ENTITY_IS_DELETED'), 'gone', 'ENTITY_IS_DELETED'],
    [404, '', 'unknown', 'HTTP_404'],
    [404, row('INVALID_CROSS_REFERENCE_KEY', { fields: [] }), 'gone', 'INVALID_CROSS_REFERENCE_KEY'],
    [400, row('INVALID_CROSS_REFERENCE_KEY', { fields: ['RecordTypeId'] }), 'permanent', 'INVALID_CROSS_REFERENCE_KEY'],
    [403, row('STORAGE_LIMIT_EXCEEDED'), 'permanent', 'STORAGE_LIMIT_EXCEEDED'],
    [302, '', 'systemic', 'HTTP_302'],
  ])('status %i with %j is %s %s', (status, body, kind, code) => {
    const error = classifyAnswer(status, body);
    expect([error.kind, error.code]).toEqual([kind, code]);
  });

  it.each(['inserted', 'updated', 'upserted'])(
    'an object that our user may not have %s lacks a right, and no row is at fault',
    (verb) => {
      const statusCode = 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY';
      const denied = { statusCode, message: `entity type cannot be ${verb}: Vendor Order`, fields: [] };
      expect(classifyAnswer(400, { success: false, errors: [denied] }).kind).toBe('schema-mismatch');
      const failed = { statusCode, message: 'OrderTrigger: execution of BeforeInsert', fields: [] };
      expect(classifyAnswer(400, { success: false, errors: [failed] }).kind).toBe('permanent');
    },
  );

  it.each(['CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', 'CANNOT_EXECUTE_FLOW_TRIGGER'])(
    'takes a row lock that an automation met for a row lock, whatever %s may say otherwise',
    (errorCode) => {
      const result = (message: string) => classifyAnswer(400, [{ errorCode, message, fields: [] }]);
      const lock = 'execution of AfterUpdate caused by: UNABLE_TO_LOCK_ROW, unable to obtain exclusive access';
      expect(result(lock)).toMatchObject({ kind: 'transient', code: 'UNABLE_TO_LOCK_ROW' });
      expect(result('execution of AfterUpdate caused by: System.NullPointerException')).toMatchObject({
        kind: 'permanent',
        code: errorCode,
      });
    },
  );

  it.each([
    'OrderTrigger: System.LimitException: Too many SOQL queries: 101',
    'OrderTrigger: execution of BeforeUpdate caused by: System.LimitException: Apex CPU time limit exceeded',
    'Too many DML statements: 151',
  ])('takes a limit of the org’s automation for one of the number of rows: %s', (message) => {
    const errors = [{ statusCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message, fields: [] }];
    expect(classifyAnswer(400, { success: false, errors })).toMatchObject({
      kind: 'governor',
      code: 'APEX_GOVERNOR_LIMIT',
    });
  });

  it.each([
    ['TotalRequests Limit exceeded.', { used: 522, limit: 25_000 }, 'systemic'],
    ['ConcurrentRequests (Concurrent API Requests) Limit exceeded.', { used: 522, limit: 25_000 }, 'throttled'],
    ['ConcurrentPerOrgLongTxn Limit exceeded.', null, 'throttled'],
    ['Request limit exceeded.', { used: 522, limit: 25_000 }, 'throttled'],
    ['Request limit exceeded.', { used: 25_000, limit: 25_000 }, 'systemic'],
    ['Request limit exceeded.', null, 'systemic'],
  ])('tells the day’s calls from a moment’s: %s with %j is %s', (message, limitInfo, kind) => {
    const body = [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message }];
    expect(classifyAnswer(403, body, { limitInfo }).kind).toBe(kind);
  });

  it('has one row a code, each with its source', () => {
    expect(new Set(CRM_ANSWERS.map(({ code }) => code)).size).toBe(CRM_ANSWERS.length);
    for (const { source } of CRM_ANSWERS) expect(source).not.toBe('');
  });

  it('blames the row that failed, not those that fell with it', () => {
    const body = [
      { success: false, errors: [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK', message: 'x' }] },
      { success: false, errors: [{ statusCode: 'DUPLICATE_VALUE', message: 'x' }] },
    ];
    expect(classifyAnswer(400, body).code).toBe('DUPLICATE_VALUE');
    expect(isBystander(body)).toBe(false);
    expect(isBystander([{ errorCode: 'PROCESSING_HALTED', message: 'x' }])).toBe(true);
  });

  it('keeps names and drops values', () => {
    const error = classifyAnswer(400, row('STRING_TOO_LONG', { fields: ['Name', 'jane@roe.example, 42'] }));
    expect(error.fields).toEqual(['Name']);
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/Jane|jane|42/);
  });

  it.each([
    ['a rule', row('FIELD_CUSTOM_VALIDATION_EXCEPTION'), 'said "Jane Roe" is 42'],
    [
      'two rules',
      [...row('X'), ...row('X', { message: 'Also\nthis.' }), ...row('X')],
      'said "Jane Roe" is 42 Also this.',
    ],
    [
      'a row beside one that fell with it',
      [...row('PROCESSING_HALTED', { message: 'no' }), ...row('X')],
      'said "Jane Roe" is 42',
    ],
    ['a page', '<html>no</html>', null],
    ['too much', row('X', { message: 'x'.repeat(9_999) }), 'x'.repeat(500)],
  ])('keeps the text of %s apart from the error that is logged', (_, body, said) => {
    const error = classifyAnswer(400, body);
    expect(error.crmMessage).toBe(said);
    expect(error.ofPart({ of: 'line', created: 0 }).crmMessage).toBe(said);
    expect(inspect(error) + JSON.stringify(error)).not.toMatch(/Jane|xxxx/);
  });

  it('takes no code that looks like a value', () => {
    expect(classifyAnswer(400, [{ errorCode: 'jane@roe.example', message: 'x' }]).code).toBe('HTTP_400');
  });

  it('names the column that INVALID_FIELD complains about', () => {
    const message = "SELECT Foo__c FROM Account\n       ^\nNo such column 'Foo__c' on entity 'Account'.";
    expect(classifyAnswer(400, [{ errorCode: 'INVALID_FIELD', message }]).fields).toEqual(['Foo__c']);
  });

  it('takes an external id that leads nowhere for the fault of its row, not of the org', () => {
    const message = 'Foreign key external ID: a-1 not found for field Vendor_Product_Number__c in entity Product2';
    const result = classifyAnswer(400, {
      success: false,
      errors: [{ statusCode: 'INVALID_FIELD', message, fields: [] }],
    });
    expect(result).toMatchObject({ kind: 'permanent', code: 'INVALID_FIELD', fields: [] });
    expect(result.message).not.toContain('a-1');
  });

  it('hands on how long to wait', () => {
    expect(classifyAnswer(429, '', { retryAfterMs: 7_000 }).retryAfterMs).toBe(7_000);
    expect(classifyAnswer(429, '').retryAfterMs).toBeNull();
  });
});
