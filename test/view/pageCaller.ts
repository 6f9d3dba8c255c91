import type { Page } from 'playwright-core';

/** Calls what a page offers to tests as `window[name]`; arguments and results are JSON. */
export function pageCaller<Api extends { [Name in keyof Api]: (...args: never[]) => unknown }>(name: string) {
  return <Method extends keyof Api & string>(
    page: Page,
    method: Method,
    ...args: Parameters<Api[Method]>
  ): Promise<Awaited<ReturnType<Api[Method]>>> => {
    const texts = args.map(argument => {
      const json = JSON.stringify(argument) as string | undefined;
      // As a text that is parsed: `__proto__` in a literal would be no member.
      return json === undefined ? 'undefined' : `JSON.parse(${JSON.stringify(json)})`;
    });
    return page.evaluate(`window.${name}.${method}(${texts.join()})`);
  };
}
