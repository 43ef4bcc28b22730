/** Images of one shape, as the demo vision model knows them, and the files of that model. */
import { join } from 'node:path';
import type { ChatImage } from '../../../models/interface/model.ts';

const folder = join(import.meta.dirname, '../../../models/demo/vision');

export const visionCatalogue = join(folder, 'catalogue.json');

/** The options that load the demo vision model with its projector. */
export const visionFiles = {
  modelPath: join(folder, 'cloister-demo-vision.gguf'),
  projectorPath: join(folder, 'mmproj-cloister-demo-vision.gguf'),
};

const colours = { red: [224, 26, 31], blue: [31, 77, 224], green: [33, 158, 51], black: [13, 13, 15] } as const;

const shapes = {
  circle: (x: number, y: number) => Math.hypot(x, y) < 0.22,
  square: (x: number, y: number) => Math.max(Math.abs(x), Math.abs(y)) < 0.2,
} as const;

/** A shape in the middle of a white image. @param side pixels */
export function drawShape(colour: keyof typeof colours, shape: keyof typeof shapes, side = 48): ChatImage {
  const pixels = new Uint8Array(3 * side * side).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isInside = shapes[shape]((x + 0.5) / side - 0.5, (y + 0.5) / side - 0.5);
      if (isInside) pixels.set(colours[colour], 3 * (y * side + x));
    }
  }
  return { pixels, width: side, height: side };
}
