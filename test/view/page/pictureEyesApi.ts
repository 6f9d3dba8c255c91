/** What a test can call in the page to hold two pictures beside each other. Pictures are data addresses. */
export interface PictureEyesApi {
  /** How many pixels differ, all where the sizes do; how many differ at all; and the later picture, pale, with those in red. */
  compare(
    kept: string,
    now: string,
  ): Promise<{ readonly pixels: number; readonly faint: number; readonly marked: string }>;
}
