import assert from 'node:assert/strict';
import { presets, type Preset } from '../../../../src/core/pack/presets.ts';

export function findPreset(id: string): Preset {
  return presets.find(preset => preset.id === id) ?? assert.fail(id);
}
