"""What tokens become of German words where tokenizers are trained with cuts at the ends of parts, and without."""
