/** Values of settings as they may be printed and measured: without secrets and credentials. */
import type { Setting } from './setting-kinds.ts';
import { type Config, type SettingName, settings } from './settings.ts';

/** Null if the setting is not set, `set` instead of a secret, addresses without credentials. */
export function shownValue(name: SettingName, value: Config[SettingName]): string | number | boolean | null {
  const setting: Setting<unknown> = settings[name];
  if (value === undefined) return null;
  if (setting.isSecret === true) return 'set';
  return typeof value === 'string' ? withoutCredentials(value) : value;
}

function withoutCredentials(value: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value;
  const url = URL.parse(value);
  return url === null ? 'set' : `${url.protocol}//${url.host}${url.pathname}`;
}
