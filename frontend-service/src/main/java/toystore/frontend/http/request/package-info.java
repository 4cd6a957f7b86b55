/// What is read of a request: browser or program, its address, cookies and forms.
@NullMarked
package toystore.frontend.http.request;

import org.jspecify.annotations.NullMarked;
