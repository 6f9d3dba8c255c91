import assert from 'node:assert/strict';
import { scoreGroupings } from '../../../../src/shared/scorecard.ts';
import { describeScoredHours, describeScoreFigures } from '../../../../src/presentation/forecast/scoreMessages.ts';
import { createFrame, numberColumn } from '../../core/filter/columns.ts';

describe('the text above a scorecard', () => {
  it('counts the hours with both values, and the excluded hours if there are any', () => {
    const counts = (hours: number, ofHours: number, locale = 'en') =>
      describeScoredHours(
        createFrame(numberColumn('hours', [hours, 7]), numberColumn('of_hours', [ofHours, 7])),
        locale,
      );
    assert.equal(counts(8748, 8760), '8,748 of 8,760 hours have both values; 12 omitted.');
    assert.equal(counts(8760, 8760, 'de'), '8.760 of 8.760 hours have both values.');
    assert.equal(counts(0, 24), '0 of 24 hours have both values; 24 omitted.');
  });

  it('always defines the sign of the error, and each displayed figure with its source', () => {
    for (const by of scoreGroupings) {
      const text = describeScoreFigures(by);
      assert.match(text, /Error = actual − forecast/);
      for (const figure of ['Bias', 'MAE', 'RMSE', 'MAPE', 'P5', 'P95', 'Skill'])
        assert.equal(new RegExp(`\\b${figure}\\b`).test(text), by !== 'worst', `${by} ${figure}`);
      assert.equal(/Hyndman and Athanasopoulos.*Murphy \(1988\)/.test(text), by !== 'worst');
      assert.equal(text.includes('Five bands'), by === 'band');
    }
  });
});
