export declare function keepIcons(
  css: string,
  font: Buffer,
  code: string,
): { readonly css: string; readonly font: Buffer };
