/** Names of files and keys of the Windows registry, which reports give as traces of an attack. */
import type { Range } from '../text/span.ts';

export interface AttackFile extends Range {
  readonly kind: 'file' | 'registry';
  /** A file without its folder. */
  readonly value: string;
}

const extensions =
  'exe|dll|sys|scr|cpl|ocx|msi|ps1|psm1|bat|cmd|vbs|vbe|js|jse|wsf|hta|lnk|iso|img|vhdx?|bin|dat|elf|so|sh|py|pl|jar|apk|war|php|aspx?|jspx?|docm?|docx|xlsm|xlsx?|xll|pptm|rtf|one|chm|zip|rar|7z|cab|tmp|txt|html?|pdf|pif|com';
const fileShape = new RegExp(
  String.raw`(?<![\p{L}\w./:@\\[\]-])(?:file:_?)?(?:[A-Za-z]:\\|\\\\|%\w{1,30}%\\|\/)?(?:[\p{L}\w $%~.()-]{1,60}[\\/]){0,10}(?<name>[\p{L}\w~$()-][\p{L}\w.~$()-]{0,80}\.(?:${extensions}))(?![\p{L}\w\\/])`,
  'giu',
);
const registryShape = /(?<![\w\\])(?:HKLM|HKCU|HKCR|HKU|HKEY_[A-Z_]{4,20})\\[^\s"'`<>|,;()]{3,200}[^\s"'`<>|,;.():]/g;

/** Programs of the systems themselves, which attackers use but which identify nobody. @see LOLBAS project */
const ofSystem = new Set(
  (
    'cmd.exe powershell.exe pwsh.exe powershell_ise.exe wmic.exe net.exe net1.exe sc.exe reg.exe regsvr32.exe rundll32.exe mshta.exe ' +
    'cscript.exe wscript.exe certutil.exe bitsadmin.exe vssadmin.exe wbadmin.exe bcdedit.exe schtasks.exe at.exe taskkill.exe ' +
    'tasklist.exe whoami.exe nltest.exe ntdsutil.exe comsvcs.dll lsass.exe svchost.exe explorer.exe services.exe winlogon.exe ' +
    'winword.exe excel.exe outlook.exe chrome.exe firefox.exe msedge.exe iexplore.exe notepad.exe calc.exe msbuild.exe ' +
    'installutil.exe msiexec.exe wevtutil.exe netsh.exe ping.exe nslookup.exe curl.exe robocopy.exe xcopy.exe 7z.exe 7za.exe ' +
    'winrar.exe rar.exe conhost.exe userinit.exe kernel32.dll ntdll.dll user32.dll advapi32.dll wininet.dll ws2_32.dll lsasrv.dll ' +
    'sethc.exe utilman.exe csrss.exe smss.exe wininit.exe spoolsv.exe dllhost.exe wsmprovhost.exe mstsc.exe teams.exe onedrive.exe ' +
    'setup.py readme.md readme.txt index.html index.php robots.txt package.json node.js license.txt ntds.dit'
  ).split(' '),
);

/** Ordered by position. */
export function findAttackFiles(text: string): AttackFile[] {
  const found: AttackFile[] = [];
  for (const match of text.matchAll(registryShape))
    found.push({ kind: 'registry', value: match[0], start: match.index, end: match.index + match[0].length });
  for (const match of text.matchAll(fileShape)) {
    const name = match.groups!.name!;
    if (ofSystem.has(name.toLowerCase()) || !/\p{L}{2}.*\./u.test(name)) continue;
    // The ending of programs for DOS is that of hosts too, whose names have more parts.
    if (/^\(?[\w-]+(?:\.[\w-]+)+\.com$/i.test(name)) continue;
    const end = match.index + match[0].length;
    found.push({ kind: 'file', value: name, start: end - name.length, end });
  }
  return found.sort((a, b) => a.start - b.start);
}
