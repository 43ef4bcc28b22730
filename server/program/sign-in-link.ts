/** The pages that sign a person in with a single-use link. */

/**
 * The secret is in the fragment, which browsers do not send: it appears in no log.
 * @param baseUrl of the server, without a slash at the end · @param secret of `Accounts.makeLoginLink`
 */
export function signInLink(baseUrl: string, secret: string): string {
  return `${baseUrl}/sign-in#${secret}`;
}

/**
 * The same for the console of a compute service.
 * @param baseUrl of the service, without a slash at the end · @param of.svc path segment of the service
 */
export function consoleLink(baseUrl: string, { svc, secret }: { svc: string; secret: string }): string {
  return `${baseUrl}/${svc}/console#${secret}`;
}
