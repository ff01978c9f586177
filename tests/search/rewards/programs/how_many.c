/* Conditions behind a loop ask how often one inside it went each way.
 *
 * Rewards frequencies: it turns as many decisions at once as the program asks for.
 * Punishes whoever flips one decision at a time, generational among them: from the one path on which 300 of 400 are
 * right each flip leads away again, and there are more paths than anybody has time for.
 */
#include <untaken.h>

int main(void)
{
    unsigned char bytes[400];
    int large = 0;
    untaken_input(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < 400; i++)
        if (bytes[i] > 200)
            large++;
    if (large == 300)
        return 1;
    if (large == 400)
        return 2;
    return 0;
}
