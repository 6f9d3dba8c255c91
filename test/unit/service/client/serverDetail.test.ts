import assert from 'node:assert/strict';
import fc from 'fast-check';
import { extractServerDetail } from '../../../../src/service/client/failure.ts';

const key = 'sb_test_not_a_real/key+';

const anyText = fc.array(fc.nat(0xffff), { maxLength: 300 }).map(units => String.fromCharCode(...units));

describe('extractServerDetail', () => {
  for (const [body, expected] of [
    [{ detail: 'Invalid API key.' }, 'Invalid API key.'],
    [{ error: 'bad_request', detail: 'start must be < end' }, 'start must be < end'],
    [{ error: 'bad_request' }, 'bad_request'],
    [{ error: 'bad_request', detail: '' }, 'bad_request'],
    [{ error: { message: 'no' } }, 'message: no'],
    [{ start: ['Required.'], end: ['Bad.', 'Late.'] }, 'start: Required.; end: Bad.; Late.'],
    [{ detail: [{ loc: ['query', 'end'], msg: 'field required' }] }, 'loc: query; end; msg: field required'],
    [['No.', 'Never.'], 'No.; Never.'],
    [{ detail: 'two\r\nlines\tand \u001b[31mred\u0000' }, 'two lines and [31mred'],
    [{ detail: 'turned \u202egnihton\u202c, no\u200bthing' }, 'turned gnihton, nothing'],
    [{ detail: `your key ${key} is bad` }, 'your key [key] is bad'],
    [{ detail: `your key ${encodeURIComponent(key)} is bad` }, 'your key [key] is bad'],
    [{ detail: `your key ${key.replace(/./g, '$&\u200b')} is bad` }, 'your key [key] is bad'],
    [{ start: [key] }, 'start: [key]'],
    [{ [key]: ['x'] }, '[key]: x'],
    [{ detail: '\u0000' }, undefined],
    [{ detail: 7 }, undefined],
    [{ detail: null }, undefined],
    [{}, undefined],
    [[], undefined],
    ['text alone', undefined],
    [null, undefined],
    [{ a: { b: { c: { d: { e: 'deep' } } } } }, undefined],
  ] as const)
    it(`finds ${JSON.stringify(expected)} in ${JSON.stringify(body)}`, () => {
      assert.equal(extractServerDetail(body, key), expected);
    });

  it('never truncates within a key or a character', () => {
    assert.equal(extractServerDetail({ detail: 'x'.repeat(190) + key }, key), `${'x'.repeat(190)}[key]`);
    const cut = extractServerDetail({ detail: `${'x'.repeat(198)}🙂🙂` }, key);
    assert.equal(cut, `${'x'.repeat(198)}…`);
  });

  it('returns one line of at most 200 characters for any body', () => {
    fc.assert(
      fc.property(fc.anything(), anyText, (value, detail) => {
        for (const body of [value, { detail }, { error: value }]) {
          const line = extractServerDetail(body, key) ?? '-';
          assert.ok(line.length <= 200 && line !== '' && !/[\p{C}\n]/u.test(line));
        }
      }),
    );
  });
});
