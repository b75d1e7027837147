/** Whether somebody was signed in here last time. No secret and no proof: it only decides what stands on the page while the server is asked. */

const key = "famulus.signed-in";

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function rememberSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(key, "1");
    else localStorage.removeItem(key);
  } catch {
    // Without storage the page waits for the answer.
  }
}
