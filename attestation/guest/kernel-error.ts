/** Converts errors of the kernel's TDX interfaces to error codes. */
import { AttestationError, type AttestationErrorCode } from '../base/errors.ts';

/** The system errors of the TDX interfaces. Any other error becomes ERR_TDX_FAILED. */
const codes: Readonly<Record<string, AttestationErrorCode>> = {
  ENOENT: 'ERR_TDX_DEVICE_MISSING',
  ENODEV: 'ERR_TDX_DEVICE_MISSING',
  // configfs without a driver that makes reports.
  ENXIO: 'ERR_TDX_DEVICE_MISSING',
  EACCES: 'ERR_TDX_PERMISSION',
  EPERM: 'ERR_TDX_PERMISSION',
  EROFS: 'ERR_TDX_PERMISSION',
  // The driver received no quote within 30 seconds.
  ETIMEDOUT: 'ERR_QUOTE_TIMEOUT',
  // The host refused the driver's call for a quote.
  EIO: 'ERR_QUOTE_SERVICE_UNREACHABLE',
  EBUSY: 'ERR_QUOTE_BUSY',
  EINTR: 'ERR_QUOTE_BUSY',
  EAGAIN: 'ERR_QUOTE_BUSY',
};

/** @param doing the attempted operation, for the message: `make a report` */
export function toAttestationError(error: unknown, doing: string): AttestationError {
  if (error instanceof AttestationError) return error;
  const systemCode = systemCodeOf(error);
  const code = codes[systemCode] ?? (isOwnCode(systemCode) ? systemCode : 'ERR_TDX_FAILED');
  const answer = isOwnCode(systemCode) ? (error as Error).message : systemCode;
  return new AttestationError(code, `could not ${doing}: ${answer}`, { cause: error });
}

/** `EBUSY` and the like; the error's name if it has no code. */
export function systemCodeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? 'no reason given');
}

/** The codes that native/guest.ts throws for TDX. */
const own = [
  'ERR_TDX_DEVICE_MISSING',
  'ERR_TDX_PERMISSION',
  'ERR_TDX_FAILED',
  'ERR_QUOTE_SERVICE_UNREACHABLE',
  'ERR_QUOTE_TIMEOUT',
] as const;

function isOwnCode(code: string): code is (typeof own)[number] {
  return own.some((own) => own === code);
}
