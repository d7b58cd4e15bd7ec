/** What is in this machine. */
package org.verifycycle.device;
