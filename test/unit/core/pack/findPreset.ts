import assert from 'node:assert/strict';
import { presets, type Preset } from '../../../../src/core/pack/presets.ts';

export function findPreset(label: string): Preset {
  return presets.find(preset => preset.label === label) ?? assert.fail(label);
}
