/** What a test can call in the page to hold two pictures beside each other. Pictures are data addresses. */
export interface PictureEyesApi {
  /** How many pixels differ, all where the sizes do, and the later picture, faint, with those in red. */
  compare(kept: string, now: string): Promise<{ readonly pixels: number; readonly marked: string }>;
}
